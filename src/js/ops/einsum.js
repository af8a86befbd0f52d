// Einstein summation of one or two operands, in terms of other ops. It is read here, since a row of
// the op table is described by numbers and strings never cross to C. Refuses, with name and
// position, diagonals (a label twice in one operand) and ellipses.
import { describe, formatShape } from '../base/check.js';
import { GradlockError, ShapeError } from '../base/errors.js';
import { prepare } from '../tensors/apply.js';
import { tidy } from '../tensors/tidy.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @typedef {ReturnType<typeof prepare>} Operand */
/** @typedef {{ x: any, labels: string[] }} Labelled An operand and the labels of its axes. */

/** @param {Operand} operand */
const shapeOf = (operand) => (typeof operand === 'number' ? [] : operand.shape);

/** The labels of each operand and of the result, each once. @param {string} equation */
const parse = (equation) => {
  /** @type {string[][]} */
  const terms = [[]];
  /** @type {string[] | undefined} */
  let output;
  /** @param {number} at @param {string} why */
  const refuse = (at, why) =>
    new GradlockError(`einsum ${describe(equation)}: '${equation[at]}' at ${at} ${why}`);
  for (let at = 0; at < equation.length; at++) {
    const sign = String(equation[at]);
    /** @type {string[]} */
    const term = output ?? terms.at(-1) ?? [];
    if (/[a-zA-Z]/.test(sign)) {
      if (term.includes(sign)) {
        throw refuse(at, `repeats a label ${output ? 'of the result' : 'of one operand'}`);
      }
      if (output && !terms.some((labels) => labels.includes(sign))) {
        throw refuse(at, 'is not a label of any operand');
      }
      term.push(sign);
    } else if (sign === ',' && !output) {
      terms.push([]);
    } else if (sign === '-' && equation[at + 1] === '>' && !output) {
      output = [];
      at++;
    } else if (sign === '.') {
      throw refuse(at, 'begins an ellipsis, which einsum does not support: name all axes');
    } else if (sign !== ' ') {
      throw refuse(at, "is not allowed: use letters, ',' and one '->'");
    }
  }
  return { terms, output: output ?? implied(terms) };
};

/** Without an arrow: labels that occur once, sorted, capitals first. @param {string[][]} terms */
const implied = (terms) => {
  const all = terms.flat();
  return all.filter((label) => all.indexOf(label) === all.lastIndexOf(label)).sort();
};

/**
 * The size of every label.
 * @param {string} equation
 * @param {string[][]} terms
 * @param {(readonly number[])[]} shapes
 */
const measure = (equation, terms, shapes) => {
  const what = `einsum ${describe(equation)}`;
  /** @type {Map<string, number>} */
  const sizes = new Map();
  terms.forEach((labels, i) => {
    const shape = shapes[i] ?? [];
    if (labels.length !== shape.length) {
      throw new ShapeError(
        `${what}: '${labels.join('')}' has ${labels.length} labels, operand ${i} has shape ${formatShape(shape)}`,
      );
    }
    labels.forEach((label, axis) => {
      const size = Number(shape[axis]);
      const known = sizes.get(label) ?? size;
      if (known !== size) {
        throw new ShapeError(
          `${what}: '${label}' is ${known} and ${size} in shapes ${shapes.map(formatShape).join(' and ')}`,
        );
      }
      sizes.set(label, size);
    });
  });
  return sizes;
};

/** Context of an einsum: the ops, and the sizes of labels. */
class Summation {
  /** @param {import('./linear.js').LinearOps} ops @param {Map<string, number>} sizes */
  constructor(ops, sizes) {
    this.ops = ops;
    this.sizes = sizes;
  }

  /** @param {readonly string[]} labels */
  shape(labels) {
    return labels.map((label) => Number(this.sizes.get(label)));
  }

  /** The size of one axis that replaces those of some labels. @param {readonly string[]} labels */
  size(labels) {
    return this.shape(labels).reduce((product, size) => product * size, 1);
  }

  /**
   * Sum over the axes whose labels are not needed.
   * @param {Labelled} operand
   * @param {readonly string[]} wanted
   * @returns {Labelled}
   */
  keep({ x, labels }, wanted) {
    const axes = labels.flatMap((label, axis) => (wanted.includes(label) ? [] : [axis]));
    if (axes.length === 0) return { x, labels };
    return { x: this.ops.sum(x, axes), labels: labels.filter((label) => wanted.includes(label)) };
  }

  /** @param {Labelled} operand @param {readonly string[]} order The labels as requested. */
  arrange({ x, labels }, order) {
    if (order.every((label, i) => label === labels[i])) return x;
    const perm = order.map((label) => labels.indexOf(label));
    return this.ops.transpose(x, perm);
  }

  /**
   * Matrices [batch, rows, columns], or [batch, columns, rows] where that saves moving elements.
   * @param {Labelled} operand
   * @param {string[]} batch
   * @param {string[]} rows
   * @param {string[]} columns
   */
  matrices(operand, batch, rows, columns) {
    const turned = [...batch, ...columns, ...rows];
    const isTransposed =
      rows.length > 0 && columns.length > 0 && turned.every((l, i) => l === operand.labels[i]);
    const order = isTransposed ? turned : [...batch, ...rows, ...columns];
    const [first, second] = isTransposed ? [columns, rows] : [rows, columns];
    const dims = [this.size(batch), this.size(first), this.size(second)];
    return { x: this.ops.reshape(this.arrange(operand, order), dims), isTransposed };
  }

  /**
   * @param {Labelled} a
   * @param {Labelled} b
   * @param {readonly string[]} output
   * @returns {Labelled}
   */
  product(a, b, output) {
    const shared = a.labels.filter((label) => b.labels.includes(label));
    const batch = shared.filter((label) => output.includes(label));
    const inner = shared.filter((label) => !output.includes(label));
    const rows = a.labels.filter((label) => !shared.includes(label));
    const columns = b.labels.filter((label) => !shared.includes(label));
    const labels = [...batch, ...rows, ...columns];
    if (inner.length === 0) {
      // Nothing to sum: operands that broadcast, instead of matrices with one element.
      const ones = [...this.shape(batch), ...rows.map(() => 1), ...this.shape(columns)];
      const right = this.ops.reshape(this.arrange(b, [...batch, ...columns]), ones);
      const left = this.ops.reshape(this.arrange(a, [...batch, ...rows]), [
        ...this.shape([...batch, ...rows]),
        ...columns.map(() => 1),
      ]);
      return { x: this.ops.mul(left, right), labels };
    }
    const left = this.matrices(a, batch, rows, inner);
    const right = this.matrices(b, batch, inner, columns);
    const transposes = { transposeA: left.isTransposed, transposeB: right.isTransposed };
    const x = this.ops.matMul(left.x, right.x, transposes);
    return { x: this.ops.reshape(x, this.shape(labels)), labels };
  }
}

/**
 * @param {Instance} instance
 * @param {import('./linear.js').LinearOps} ops
 * @param {unknown} equation
 * @param {readonly unknown[]} operands
 * @returns {Tensor}
 */
export const einsum = (instance, ops, equation, operands) => {
  if (typeof equation !== 'string') {
    throw new TypeError(`equation must be a string such as 'ab,bc->ac', got ${describe(equation)}`);
  }
  const { terms, output } = parse(equation);
  if (terms.length > 2 || terms.length !== operands.length) {
    const say = (/** @type {number} */ n, /** @type {string} */ noun) =>
      `${n} ${noun}${n === 1 ? '' : 's'}`;
    throw new GradlockError(
      `einsum ${describe(equation)}: ${say(terms.length, 'term')} for ${say(operands.length, 'operand')}, expected one or two of each`,
    );
  }
  const { maxRank } = instance.bridge;
  if (output.length > maxRank) {
    throw new ShapeError(
      `einsum ${describe(equation)}: the result has ${output.length} axes, the highest rank is ${maxRank}`,
    );
  }
  const ready = operands.map((x, i) => prepare(instance, x, `einsum: operand ${i}`));
  const sum = new Summation(ops, measure(equation, terms, ready.map(shapeOf)));
  return tidy(instance, () => {
    const [a, b] = ready.map((x, i) => {
      const others = terms.filter((_, k) => k !== i).flat();
      return sum.keep({ x, labels: terms[i] ?? [] }, [...output, ...others]);
    });
    const result = b ? sum.product(/** @type {Labelled} */ (a), b, output) : a;
    const last = sum.arrange(/** @type {Labelled} */ (result), output);
    // An operand as it is would be disposed with the result.
    return last === ready[0] ? ops.reshape(last, sum.shape(output)) : last;
  });
};
