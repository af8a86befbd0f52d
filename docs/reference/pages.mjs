/* What lies where in the reference. */

/** Groups of the navigation, in their order. */
export const CATEGORIES = [
  'Guide',
  'Start',
  'Ops',
  'Training',
  'Layers',
  'Files',
  'Fit',
  'Keep',
  'Worker',
  'TensorFlow.js',
  'Grid',
  'Locks',
  'Values and programs',
  'Errors',
  'Types',
  'C',
  'Decisions',
];

/** How the search weighs groups: guides first, then the interface (1), decisions last. */
export const BOOSTS = { Guide: 3, Decisions: 0.0001 };

/** Pages of docs/, in their order. */
export const PAGES = [
  'guide.md',
  'layers.md',
  'formats.md',
  'double.md',
  'fit.md',
  'keep.md',
  'worker.md',
  'tfjs.md',
  'grid.md',
  'consumers.md',
  'when-not-to-use.md',
  'laws.md',
  'stability.md',
  'reliability.md',
  'from-tensorflow.md',
  'from-tensorflow-js.md',
  'from-pytorch.md',
  'differences.md',
  'c.md',
  'examples/README.md',
  'speed.md',
  'scale.md',
  'teachers.md',
  'notebooks/README.md',
  'scenes.md',
];

/** Classes that are reached through an instance and never made: whose methods they are. */
export const OBJECTS = new Map([
  ['Gradlock', 'g'],
  ['Ops', 'g'],
  ['Losses', 'g.losses'],
  ['Initializers', 'g.initializers'],
  ['Optimizers', 'g.optimizers'],
  ['Schedules', 'g.schedules'],
  ['Layers', 'nn'],
  ['Fitting', 'fits'],
]);

/** @type {Record<string, string>} */
const PLACES = {
  init: 'Start',
  version: 'Start',
  Gradlock: 'Start',
  Ops: 'Ops',
  Losses: 'Ops',
  Initializers: 'Ops',
  Optimizers: 'Training',
  Schedules: 'Training',
  Optimizer: 'Training',
  Lbfgs: 'Training',
  LevenbergMarquardt: 'Training',
  Schedule: 'Training',
  LockSet: 'Locks',
  LockHolder: 'Locks',
  Selection: 'Locks',
  LockPolicy: 'Locks',
};

/** What gradlock/layers exports, the options of layers and of callbacks among it. */
const OF_LAYERS =
  /^(layers|Layers|Rows|Inputs|Symbols|Pressure\w*|Batch|Batches|Model|Sequential|SymbolicTensor|Call(Options|back)|Compile\w+|Fit\w+|Log(s|Values)|Progress|Stage|Summary|\w+Row|PerOutput|OpenShape|Activation|RegularizerOption|Weight\w+|ReadyCallbacks|\w*(Config|Layer\w*)|(Sequential|Model|EarlyStopping|ReduceLROnPlateau|ModelCheckpoint|LiftPressure)Options)$/;

/** What types of options of layers are computed from, and what classes of layers have in common. */
export const INSIDE =
  /^(Field|\w+Fields|(Given|Names|Options|Aliases|Config)Of|Kind|Lifted|Series|Save|Make|[A-Z]{4,}ING|SLOWER|CHECKPOINT|OPTIONS|LIFT|\w*(Pooling|UpSampling|ZeroPadding|Cropping)\dD|Add|Subtract|Average|Multiply|Maximum|Minimum|Weighted|Trainer|RowWise|AlongAxis|Affine|Attending|Elementwise|Merge|Noise|Dropping|SpatialDropout|Normalization|OverTime|Recurrent)$/;

/** What gradlock/formats exports. */
const OF_FORMATS =
  /^(\w*Delta|load\w+|save\w+|(read|write)Safetensors|pytorchMapping|DType|Load\w+|LayersModelSource|Source|Mapping|Rule|StoredTensor|TensorSource)$/;

/** What gradlock/fit exports. */
const OF_FIT =
  /^(fitting|Fit(ting|tedParameter)?|Parameters?|(Free|Tied)Parameter|ParameterSpec|NamedTensors|Numbers|Predictors|RobustLoss|Band|Price|Profile|(Own)?CurveOptions|LeastSquaresOptions|(student|fisher|chiSquare)\w+)$/;

/** What gradlock/keep exports. */
const OF_KEEP = /^(keep|list|remove|persist|Ke(ep|pt)\w+|\w*(Keep|Place)Options|KeepReason)$/;

/** What gradlock/worker exports. */
const OF_WORKER =
  /^(start|train|transfer|Job\w*|\w*Task|TaskCalls|StartOptions|TrainOptions|TaskContext|VariableName|Worker\w+)$/;

/** What gradlock/tfjs exports. */
const OF_TFJS = /^(tfjs|TensorFlow\w*|LayerVariable)$/;

/** What gradlock/grid exports. */
const OF_GRID =
  /^(GradlockGrid|Grid\w+|Palette|Scale|words|makePalette|level(Of|s)|LEVELS|colour|drawPadlock|hatchPattern|format(Input|Number|Value)|parseNumber|powerOfTen|MAX_DOM_SIDE)$/;

/** Groups of what an instance itself has, in their order. @type {[string, string[]][]} */
export const PARTS = [
  ['Values', ['variable', 'tensor', 'random']],
  ['Locks', ['locks', 'locksFrom', 'choose', 'pressure']],
  ['Programs', ['compile', 'valueAndGrad', 'assignMovingAverage']],
  ['Derivatives', ['tape', 'gradients', 'grad', 'grads', 'hvp', 'jacobian', 'customGrad']],
  ['More methods', ['losses', 'initializers', 'optimizers', 'schedules']],
  ['Memory', ['tidy', 'memory', 'dispose', 'disposed']],
  ['Threads', ['threads', 'threadsReason']],
];

/**
 * The group of a name that the package exports.
 * @param {string} name
 * @param {boolean} isClass
 */
export const categoryOf = (name, isClass) => {
  if (Object.hasOwn(PLACES, name)) return PLACES[name];
  if (OF_KEEP.test(name)) return 'Keep';
  if (OF_FIT.test(name)) return 'Fit';
  if (OF_WORKER.test(name)) return 'Worker';
  if (name.endsWith('Error')) return 'Errors';
  if (OF_TFJS.test(name)) return 'TensorFlow.js';
  if (OF_GRID.test(name)) return 'Grid';
  if (OF_LAYERS.test(name)) return 'Layers';
  if (OF_FORMATS.test(name)) return 'Files';
  if (!isClass) return 'Types';
  return name.endsWith('Ops') ? 'Ops' : 'Values and programs';
};

/**
 * What TypeDoc is to know of a page of Markdown: its title, its group, and where it goes.
 * @param {{ title: string, category: string, path: string }} of
 */
export const matter = (of) =>
  `---\n${Object.entries(of)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join('\n')}\n---\n\n`;
