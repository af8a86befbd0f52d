/* Training runs that must give the same bits everywhere: every rule and second-order method with
 * varied options, on a small network whose locks change during training. A run is a line of text.
 * It is printed in this form, before the digests of its end. tests/js/digest-runs.js reads the same
 * line and does the same in JavaScript, on every engine.
 *
 *   adam amsgrad=1 largest=0.5,2,3
 *
 * is a rule and settings: options by C's names, and beside them
 *
 *   <schedule>=numbers          the learning rate's, by C's name and in C's order
 *   dropout=rate,seed           of the hidden units
 *   gradients=1                 steps by glk_optimizer_apply, with the gradients of the program
 *   rate=factor, rates=salt     of the learning rate: b's, and those of w2's elements
 *   exclude=1                   b from weight decay
 *   nonNegative=1, box=low,high, maxNorm=norm,axis, unitNorm=axis        of w1 and w2
 *   largest=fraction,by,every, smallest=..., random=fraction,seed,every
 *                               policies of w1 and w2: what alone trains
 *   between=low,high,by,every   likewise: what is locked
 *   timetable=step,step,...     likewise: masks by the step
 *
 * Every number is a ratio of small integers, so nothing is left to how text is read. */
#ifndef GLK_TESTS_RUNS_H
#define GLK_TESTS_RUNS_H

#include <stdlib.h>

#include "harness.h"

/* Sets of options for which the laws of locks are tested, from the defaults on: rules and options
 * as above. tests/js/rules.js reads them too. At least one of every rule. */
static const char *const law_lines[] = {
    "sgd",
    "sgd momentum=0.9",
    "sgd momentum=0.8 nesterov=1",
    "sgd weightDecay=0.01 learningRate=0.1",
    "sgd momentum=0.9 weightDecay=0.1 clipNorm=0.5",
    "sgd momentum=0.9 clipValue=0.25 resetOnUnlock=1",
    "adam",
    "adam beta1=0.5 beta2=0.9 epsilon=1e-3",
    "adam beta1=0 beta2=0",
    "adam weightDecay=0.05",
    "adam globalClipNorm=1",
    "adam clipValue=0.1",
    "adam resetOnUnlock=1 learningRate=0.1",
    "adamW",
    "adamW weightDecay=0.5 clipNorm=0.1 learningRate=0.1",
    "adamW resetOnUnlock=1",
    "adam amsgrad=1 beta2=0.5",
    "adamW amsgrad=1 clipValue=0.5 resetOnUnlock=1",
    "adagrad",
    "adagrad initialAccumulatorValue=0 weightDecay=0.1 resetOnUnlock=1",
    "adagrad initialAccumulatorValue=2 resetOnUnlock=1 clipNorm=1",
    "adadelta",
    "adadelta rho=0.5 epsilon=1e-3 weightDecay=0.1 resetOnUnlock=1",
    "rmsprop",
    "rmsprop momentum=0.9 resetOnUnlock=1",
    "rmsprop centered=1 clipValue=0.5",
    "rmsprop centered=1 momentum=0.5 weightDecay=0.1 rho=0.5",
    "adamax",
    "adamax beta1=0.5 beta2=0.5 weightDecay=0.1 resetOnUnlock=1",
    "nadam",
    "nadam globalClipNorm=1 weightDecay=0.1",
    "nadam beta1=0 beta2=0 resetOnUnlock=1 learningRate=0.1",
    "lion",
    "lion beta1=0.5 beta2=0.5 weightDecay=0.1 resetOnUnlock=1",
    "ftrl",
    "ftrl l1RegularizationStrength=0.1 l2RegularizationStrength=0.1 "
    "l2ShrinkageRegularizationStrength=0.1"
    " beta=0.5 resetOnUnlock=1",
    "ftrl learningRatePower=-0.75 weightDecay=0.1 clipValue=1",
    "ftrl learningRatePower=0 learningRate=0",
};

/* Runs with digests: at least two of every rule and method. */
static const char *const run_lines[] = {
    "sgd learningRate=0.0625 momentum=0.875 weightDecay=0.125",
    "sgd cosineDecay=0.0625,40,0.125,0.25,8 momentum=0.75 nesterov=1 clipNorm=0.125",
    "sgd learningRate=0.25 maxNorm=1.25,0 dropout=0.25,7 gradientAccumulationSteps=4",
    "sgd learningRate=0.125 gradients=1 largest=0.5,2,1 rates=31",
    "adam learningRate=0.0625 globalClipNorm=0.125",
    "adam learningRate=0.0625 amsgrad=1",
    "adam piecewiseConstantDecay=0.0625,10,0.03125,30,0.015625 beta1=0.75 resetOnUnlock=1",
    "adam learningRate=0.0625 gradientAccumulationSteps=3 largest=0.5,1,2 useEma=1 "
    "emaMomentum=0.75",
    "adam learningRate=0.03125 random=0.75,11,4 dropout=0.125,5 epsilon=0.0009765625",
    "adam learningRate=0.0625 gradients=1 timetable=4,12,30,45 unitNorm=1 rate=0.5",
    "adamW learningRate=0.0625 weightDecay=0.125",
    "adamW exponentialDecay=0.0625,10,0.5,1 weightDecay=0.25 exclude=1 rates=32 rate=2",
    "adamW learningRate=0.0625 amsgrad=1 between=-0.25,0.25,0,5 clipValue=0.0078125",
    "adamW oneCycle=0.125,60,0.25,0,8,64,1 useEma=1 emaMomentum=0.5 emaOverwriteFrequency=7",
    "adagrad learningRate=0.0625 weightDecay=0.125",
    "adagrad learningRate=0.125 initialAccumulatorValue=0.0078125 box=-0.75,0.75 dropout=0.25,9",
    "adadelta learningRate=4 epsilon=0.0009765625",
    "adadelta learningRate=8 rho=0.75 epsilon=0.0009765625 nonNegative=1 useEma=1",
    "rmsprop learningRate=0.0078125 centered=1 momentum=0.875",
    "rmsprop learningRate=0.0625 clipValue=0.125",
    "rmsprop inverseTimeDecay=0.03125,10,0.5,0 rho=0.75 smallest=0.5,1,4 globalClipNorm=0.25",
    "adamax learningRate=0.0625 globalClipNorm=0.125",
    "adamax polynomialDecay=0.0625,25,0.0078125,2,1 beta2=0.875 resetOnUnlock=1 rate=0.25",
    "nadam learningRate=0.0625 weightDecay=0.125",
    "nadam linearWarmup=0.0078125,0.0625,20 dropout=0.25,13 clipNorm=0.0625 rates=33",
    "lion learningRate=0.0078125",
    "lion cosineDecayRestarts=0.015625,12,2,0.5,0.125 beta2=0.875 box=-0.5,1 random=0.5,17,1",
    "ftrl learningRate=0.0625 learningRatePower=-0.75 l1RegularizationStrength=0.0009765625",
    "ftrl learningRate=0.25 l2RegularizationStrength=0.0078125 beta=0.5"
    " l2ShrinkageRegularizationStrength=0.0078125 gradientAccumulationSteps=2",
    "lbfgs",
    "lbfgs historySize=3 maxEvaluations=4 learningRate=0.5",
    "levenbergMarquardt",
    "levenbergMarquardt initialDamping=2 maxEvaluations=3 toleranceChange=0",
};
enum { RUNS = sizeof run_lines / sizeof run_lines[0], MAX_SETTINGS = 8, MAX_NUMBERS = 8 };

typedef struct setting {
  char name[48];
  double numbers[MAX_NUMBERS];
  uint32_t count;
} setting;

typedef struct run {
  char rule[32];
  setting settings[MAX_SETTINGS];
  uint32_t count;
} run;

static run read_run(const char *line) {
  run out = {0};
  char text[256], *words[1 + MAX_SETTINGS], *rest = text;
  uint32_t count = 0;
  CHECK(strlen(line) < sizeof text);
  strcpy(text, line);
  while (rest && count <= MAX_SETTINGS) {
    words[count++] = rest;
    rest = strchr(rest, ' ');
    if (rest) *rest++ = 0;
  }
  CHECK(!rest && strlen(words[0]) < sizeof out.rule);
  strcpy(out.rule, words[0]);
  for (uint32_t i = 1; i < count; i++) {
    setting *s = &out.settings[out.count++];
    char *numbers = strchr(words[i], '=');
    if (!CHECK_MSG(numbers != NULL, "'%s' is no setting", words[i])) continue;
    *numbers = 0;
    CHECK(strlen(words[i]) < sizeof s->name);
    strcpy(s->name, words[i]);
    while (*numbers == 0 || *numbers == ',') {
      if (!CHECK(s->count < MAX_NUMBERS)) break;
      s->numbers[s->count++] = strtod(numbers + 1, &numbers);
      if (*numbers == 0) break;
    }
  }
  return out;
}

#endif
