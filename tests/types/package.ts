/* Every type that the package exports, used as a reader of its documentation would. */
import {
  DisposedError,
  GradientError,
  GradlockError,
  HandleError,
  IndexError,
  init,
  LimitError,
  LockedElementError,
  OptionError,
  OutOfMemoryError,
  RecordingError,
  ShapeError,
  version,
  type AdamOptimizer,
  type Gradlock,
  type LockSet,
  type MemoryInfo,
  type MinimizeOptions,
  type Optimizer,
  type Program,
  type Selection,
  type SgdOptimizer,
  type StepEvent,
  type Tensor,
  type TensorLike,
  type Variable,
  type VariableOptions,
} from 'gradlock';
import { init as initExternal } from 'gradlock/external';

export async function train(): Promise<number> {
  const g: Gradlock = await init();
  const other: Gradlock = await initExternal({
    wasm: new URL('https://example.com/gradlock.wasm'),
  });
  const options: VariableOptions = { shape: [3, 4], name: 'w', trainable: true };
  const w: Variable = g.variable(new Float32Array(12), options);
  const x: Variable = g.variable([
    [0, 0],
    [0, 0],
  ]);
  const t: Tensor = g.tensor([1, 2, 3, 4], [2, 2]);
  const like: TensorLike[] = [1, [1, 2], [[1], [2]], Float32Array.of(1), t, x];
  const selections: Selection[] = [
    'all',
    [
      [true, false],
      [false, true],
    ],
    Uint8Array.of(0, 1, 0, 1),
    [
      [0, 1],
      [1, 0],
    ],
    [0, 3],
    Uint32Array.of(1),
    { rows: [0] },
    { cols: [1] },
    { axis: 0, indices: [1] },
    {
      slice: [
        [0, 1],
        [0, 2],
      ],
    },
    (value, index) => value > 0 && index < 3,
    x.locks,
    x.locks.toJSON(),
  ];
  for (const selection of selections)
    x.lock(selection).unlock(selection).toggle(selection).trainOnly(selection);
  const locks: LockSet = x.locks
    .and('all')
    .or([[0, 1]])
    .not();
  const mask: Uint8Array = locks.toMask();
  const indices: Uint32Array = locks.toIndices();
  const program: Program = g.compile(() => g.mean(g.square(g.sub(x, t))));
  const [a, b]: Tensor[] = g.compile(() => [g.sum(x), t]).run();
  const { value, grads } = g.valueAndGrad(program, [x]);
  const result: Tensor | undefined = value > 0 ? program.run() : (a ?? b);
  const adam: AdamOptimizer = g.optimizers.adam({ learningRate: 0.1, onUnlock: 'reset' });
  const sgd: SgdOptimizer = g.optimizers.sgd({ momentum: 0.9, nesterov: true });
  const every: Optimizer[] = [adam, sgd, g.optimizers.adamW({ weightDecay: 0.01 })];
  adam.beta1 = 0.8;
  sgd.nesterov = false;
  adam.onUnlock = 'hold';
  const onStep = ({ step, loss }: StepEvent) => loss > 1e-3 && step < 100;
  const minimize: MinimizeOptions = { variables: [x], steps: 100, onStep };
  const last: number =
    adam.minimize(program, minimize) + sgd.minimize(() => g.sum(g.mul(x, like[0] ?? 1)));
  adam.applyGradients([
    [grads[0] ?? t, x],
    [
      [
        [1, 0],
        [0, 1],
      ],
      x,
    ],
  ]);
  const kept: { y: Tensor } = g.tidy(() => ({ y: g.matMul(x, t, { transposeB: true }) }));
  const memory: MemoryInfo = g.memory();
  const errors: (typeof GradlockError)[] = [GradlockError];
  const shape: readonly number[] = kept.y.shape;
  try {
    x.assign(
      [
        [1, 2],
        [3, 4],
      ],
      { force: true },
    ).fix([0, 1], 3);
  } catch (error) {
    if (error instanceof LockedElementError)
      return error.index.length + error.flatIndex + error.count;
    if (error instanceof HandleError) return error.code.length;
  }
  result?.dispose();
  other.dispose();
  // @ts-expect-error A text is no shape.
  g.tensor([1], '1');
  // @ts-expect-error Options are spelt in full.
  g.optimizers.adam({ lr: 0.1 });
  // @ts-expect-error Adam has no momentum.
  adam.momentum = 0.9;
  // @ts-expect-error Shapes cannot be changed.
  x.shape[0] = 3;
  // @ts-expect-error A misspelt selection.
  x.lock({ row: [0] });
  // @ts-expect-error What is internal is not there.
  x.label;
  const data: Float32Array = w.data();
  // How deep arrays are is known of values and of shapes; else they can be read as what they are.
  const ranked: number[][][] = g
    .variable(new Float32Array(4), { shape: [1, 2, 2] })
    .lock('all')
    .array();
  const [first] = g.tensor([[1, 2]]).array();
  const sums: number =
    g.tensor(3).array() + (first?.[0] ?? 0) + (g.tensor(data, [12]).array()[0] ?? 0);
  const product: number = g.mul(x, t).array()[0][1] + ranked.length + sums;
  // @ts-expect-error An array of arrays is no list of numbers.
  const flat: number[] = g.tensor([[1, 2]]).array();
  return (
    value +
    last +
    mask.length +
    indices.length +
    every.length +
    memory.bytes +
    errors.length +
    shape.length +
    data.length +
    version.length +
    product +
    flat.length
  );
}
export const classes = [
  DisposedError,
  GradientError,
  IndexError,
  LimitError,
  OptionError,
  OutOfMemoryError,
  RecordingError,
  ShapeError,
];
