// Files of other programs, named by their bytes, with the one command that converts them. Readers
// ask only after they found that bytes are not theirs, so no valid file can be misnamed.
// Sources: the specification of each format. For protocol buffers, the fields that writers put
// first: onnx.proto, saved_model.proto, graph.proto, and Model.proto of Core ML.
import { describe } from '../base/check.js';
import { FormatError } from '../base/errors.js';
import { decodeText } from '../base/text.js';

/**
 * A command that writes a dictionary of tensors as safetensors.
 * @param {string} modules The modules that it imports.
 * @param {string} dictionary
 * @param {string} [value] In the order of C: safetensors scrambles arrays in that of Fortran.
 * @param {string} [kind]
 */
const save = (modules, dictionary, value = "numpy.array(v, order='C')", kind = 'numpy') =>
  `convert it: python -c "import ${kind}, ${modules}safetensors.${kind} as s; s.save_file({k: ${value} for k, v in ${dictionary}.items()}, 'model.safetensors')"`;

/** Clones, since safetensors refuses tensors that share memory. @param {string} tensors */
const saveTorch = (tensors) => save('', tensors, 'v.clone().contiguous()', 'torch');

const TORCH = saveTorch("torch.load('model.pt', map_location='cpu', weights_only=True)");
const NO_LAYERS =
  "it cannot be converted, since it has no layers; save the Keras model that it was made from: model.save('model.keras')";
const NO_MODEL = 'give the file of a model';
const LOADERS = 'loadModel and loadWeights read';

const PAGE = /^(\xef\xbb\xbf)?\s*<(!|html|head|body)/i;
const OBJECT = /^(\xef\xbb\xbf)?\s*\{/;

/** Archives, by the names in them. @type {[RegExp, string, string][]} */
const ARCHIVES = [
  [
    /^PK␃␄.*\bconstants\.pkl/s,
    'a model of TorchScript',
    saveTorch("torch.jit.load('model.pt', map_location='cpu').state_dict()"),
  ],
  [/^PK␃␄.*\bdata\.pkl/s, 'a file of PyTorch (.pt, .pth)', TORCH],
  [/^PK␃␄.*\.npy/s, 'a file of NumPy (.npz)', save('', "numpy.load('model.npz')")],
];

/** What files begin with, what they are, and what to do. @type {[RegExp, string, string][]} */
const FOREIGN = [
  [/^$/, 'an empty file', 'write or download it again'],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS and not the file', 'run: git lfs pull'],
  [PAGE, 'a web page (HTML)', 'check the address that it came from, and download it again'],
  ...ARCHIVES,
  [/^\x80␂\x8a\nl\xfc\x9cF\xf9 j\xa8P␙/, 'a file of PyTorch (.pt, .pth)', TORCH],
  [/^\x93NUMPY/, 'an array of NumPy (.npy)', save('', "{'w': numpy.load('w.npy')}")],
  [/^PK␃␄/, 'a ZIP archive', `${LOADERS} it if it is a .keras of Keras`],
  [/^\x89HDF\r\n/, 'HDF5, such as an .h5 of Keras', `${LOADERS} it`],
  [
    /^\x80[␂-␅].*\.$/s,
    'a pickle of Python, which may run code when it is opened',
    `if you trust it, ${save('pickle, ', "pickle.load(open('model.pkl', 'rb'))")}`,
  ],
  [/^.{4}TFL3/s, 'a model of TensorFlow Lite', NO_LAYERS],
  [/^␈.␒.{1,3}\n.{1,2}\n/s, 'a model of Core ML', NO_LAYERS],
  [
    /^␈␁␒/,
    'a SavedModel of TensorFlow',
    'if Keras 2 saved it, convert its folder: tensorflowjs_converter --input_format=keras_saved_model --output_format=tfjs_layers_model FOLDER OUT',
  ],
  [
    /^␈[␃-␔](␒.[ -~]{3}|[:B])/s,
    'a model of ONNX',
    save(
      'onnx, ',
      "{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load('model.onnx').graph.initializer}",
    ),
  ],
  [/^\n.{1,3}\n.[!-~]+␒.[A-Z_]\w/s, 'a graph of TensorFlow (.pb)', NO_LAYERS],
  [
    /W\xfb\x80\x8b\$uG\xdb$|^model_checkpoint_path: /,
    'a checkpoint of TensorFlow',
    save(
      'tensorflow as tf, ',
      "{n: r.get_tensor(n) for r in [tf.train.load_checkpoint('.')] for n, t in r.get_variable_to_dtype_map().items() if t.is_floating}",
    ),
  ],
  [
    /^GGUF/,
    'a model in GGUF',
    save(
      'gguf, ',
      "{t.name: gguf.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader('model.gguf').tensors}",
    ),
  ],
  [/^␟\x8b/, 'packed by gzip', 'unpack it: gunzip FILE.gz'],
  [/^\(\xb5\x2f\xfd/, 'packed by Zstandard', 'unpack it: zstd -d FILE.zst'],
  [/^7z\xbc\xaf'␜/, 'a 7z archive', 'unpack it: 7z x FILE'],
  [/^Rar!␚/, 'a RAR archive', 'unpack it: unrar x FILE'],
  [/^.{257}ustar/s, 'a tar archive', 'unpack it: tar xf FILE'],
  [/^\x89PNG|^\xff\xd8\xff|^GIF8|^RIFF.{4}WEBP/s, 'an image', NO_MODEL],
  [/^%PDF-/, 'a PDF', NO_MODEL],
  [/^(\xef\xbb\xbf)?\s*[{[]/, 'JSON', `${LOADERS} model.json of TensorFlow.js`],
  [/^(\xef\xbb\xbf)?\s*<\?xml/, 'XML, in which servers answer errors', NO_MODEL],
];

/**
 * Bytes as text, a character each: control characters as their pictures, such as ␃ for 3, but for
 * those of white space.
 * @param {Uint8Array} bytes
 */
const latin = (bytes) =>
  Array.from(bytes, (byte) =>
    String.fromCharCode(byte < 32 && ![9, 10, 13].includes(byte) ? 0x2400 + byte : byte),
  ).join('');

/** True if bytes are a web page. @param {Uint8Array} bytes */
export const isPage = (bytes) => PAGE.test(latin(bytes.subarray(0, 64)));

/** True if bytes are the text of a JSON object. @param {Uint8Array} bytes */
export const isObjectText = (bytes) =>
  // The length of a header, with which safetensors begins, has 0 in this byte.
  OBJECT.test(latin(bytes.subarray(0, 64))) && bytes[7] !== 0;

/** @param {typeof FOREIGN} table @param {string} start @param {string} [what] */
const refuseKnown = (table, start, what = 'this') => {
  const known = table.find(([begins]) => begins.test(start));
  if (known) throw new FormatError(`${what} is ${known[1]}: ${known[2]}`);
};

/** Throws FormatError if an archive is of a known kind. @param {string} names All its names. */
export const refuseArchive = (names) => refuseKnown(ARCHIVES, `PK␃␄${names}`);

/**
 * Throws FormatError if bytes that could not be read are of a known kind, or a text.
 * @param {Uint8Array} bytes
 * @param {string} [what] How messages call them.
 */
export const refuseForeign = (bytes, what = 'this') => {
  const start = latin(bytes.subarray(0, 512)) + latin(bytes.subarray(-8));
  refuseKnown(FOREIGN, start, what);
  if (/[␀-␟]/.test(start)) return;
  const said = decodeText(bytes.slice(0, 64)).trim();
  throw new FormatError(`${what} is a text, which begins ${describe(said)}: ${NO_MODEL}`);
};
