// Models of layers one after the other.
import { describe, readOptions, typeError } from '../../base/check.js';
import { GradlockError } from '../../base/errors.js';
import { Layer } from '../layer/layer.js';
import { InputLayer, Model } from './model.js';
import { FLOAT32 } from '../config/serial.js';
import { SymbolicTensor } from '../layer/symbolic.js';

/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Toolkit } from '../layer/toolkit.js' */

/**
 * @typedef {object} SequentialOptions The options of `sequential`.
 * @property {readonly Layer[]} [layers] The layers, from first to last.
 * @property {string} [name] The name. Default: made from the class, such as `dense_1`.
 * @property {boolean} [trainable] False to freeze the model, as for a layer. Default: true.
 */

/** A stack of layers. It creates its weights as soon as a layer or data gives the input's shape. */
export class Sequential extends Model {
  /** @override */ static className = 'Sequential';

  /** @type {Layer[]} */
  #layers = [];

  /** @internal @param {Toolkit} nn @param {any} [options] A list, or `{ layers, name }`. */
  constructor(nn, options) {
    const given = Array.isArray(options) ? { layers: options } : options;
    const { layers = [], ...common } = readOptions(
      given,
      ['layers', 'name', 'trainable'],
      'sequential options',
    );
    super(nn, common);
    if (!Array.isArray(layers)) throw typeError('sequential: layers', 'an array', layers);
    nn.attempt(() => {
      for (const layer of layers) this.add(layer);
    });
  }

  /**
   * Append a layer.
   * @param {Layer} layer
   * @returns {this}
   * @example
   * const net = nn.sequential().add(nn.dense({ units: 2, inputShape: [3] }));
   * net.countParams(); // 8
   */
  add(layer) {
    if (!(layer instanceof Layer))
      throw new TypeError(`${this.name}: add takes a layer, got ${describe(layer)}`);
    if (layer.allLayers.includes(this)) {
      throw new GradlockError(`${this.name}: cannot add ${layer.name}, which contains this model`);
    }
    const first = this.#layers[0];
    if (layer instanceof InputLayer && first) {
      throw new GradlockError(`${this.name}: an input layer must be the first layer`);
    }
    return this.nn.attempt(() => {
      this.keep();
      this.nn.undo(() => void this.#layers.pop());
      this.#layers.push(layer);
      if (this.built) this.#connect(this.outputs[0], [layer]);
      else {
        this.track(layer);
        const shape = layer instanceof Model ? layer.inputs[0]?.shape : layer.batchInputShape;
        if (!first && shape) this.build([...shape]);
      }
      return this;
    });
  }

  /**
   * Remove the last layer.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.dense({ units: 1 })]);
   * net.pop();
   * net.layers.length; // 1
   */
  pop() {
    const layer = this.#layers.pop();
    if (!layer) throw new GradlockError(`${this.name} has no layers`);
    this.untrack(layer);
    if (this.built && this.#layers.length > 0) this.#connect(null, []);
  }

  /** @override @param {any} inputShape */
  inferShape(inputShape) {
    if (this.built) return super.inferShape(inputShape);
    return this.#layers.reduce((shape, layer) => layer.computeOutputShape(shape), inputShape);
  }

  /** @override @param {OpenShape | OpenShape[]} inputShape */
  build(inputShape) {
    const [first] = this.#layers;
    if (!first) throw new GradlockError(`${this.name} has no layers`);
    const isInput = first instanceof InputLayer;
    const input = isInput ? first : new InputLayer(this.nn, { batchInputShape: inputShape });
    const symbol = input.nodes[0]?.outputs[0] ?? input.start();
    this.#connect(symbol, isInput ? this.#layers.slice(1) : this.#layers);
  }

  /** @param {any} from @param {readonly Layer[]} layers */
  #connect(from, layers) {
    if (from === null) {
      const last = this.#layers.at(-1);
      const node = last?.nodes.at(-1);
      this.setGraph(this.inputs[0], node?.outputs[0]);
      return;
    }
    let at = from;
    for (const layer of layers) at = layer.apply(at);
    const [layer, next] = layers;
    const isOneMore = from === this.outputs[0] && this.single.output && !next && layer;
    if (isOneMore && at instanceof SymbolicTensor && !this.sublayers.includes(layer)) {
      this.extendGraph(layer, at);
    } else this.setGraph(this.inputs[0] ?? from, at);
  }

  /** @override @returns {Record<string, unknown>} */
  getConfig() {
    const input = this.inputs[0]?.node.layer;
    const layers = (input ? [input, ...this.layers] : this.layers).map((layer) =>
      layer.serialize(),
    );
    const config = { name: this.name, trainable: !this.frozen, dtype: FLOAT32, layers };
    return input ? { ...config, build_input_shape: this.inputs[0]?.shape } : config;
  }

  /** @override @returns {Record<string, any>} */
  serialize() {
    const shape = this.inputs[0]?.shape ?? null;
    return {
      ...super.serialize(),
      module: 'keras',
      registered_name: null,
      build_config: { input_shape: shape },
    };
  }

  /** @override */ get layers() {
    return this.#layers.filter((layer) => !(layer instanceof InputLayer));
  }
}
