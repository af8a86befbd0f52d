// Files of other programs, named by their bytes, with the one command that converts them. Readers
// ask only after they found that bytes are not theirs, so no valid file can be misnamed.
// Sources: the specification of each format. For protocol buffers, the fields that writers put
// first: onnx.proto, saved_model.proto, graph.proto, and Model.proto of Core ML.
import { describe } from '../base/check.js';
import { FormatError } from '../base/errors.js';

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

const NO_LAYERS =
  "it has no layers; save the Keras model that it was made from: model.save('model.keras')";
const NO_MODEL = 'give the file of a model';

const PAGE = /^\s*<(!doctype|\?xml|html|head|body)/i;

/**
 * What files begin with and what to do, by what they are. An object: minified lists are one line.
 * @type {Record<string, [RegExp, string]>}
 */
const FOREIGN = {
  'an empty file': [/^$/, 'download it again'],
  'a pointer of Git LFS': [/^version https:\/\/git-lfs/, 'run: git lfs pull'],
  'a web page (HTML)': [PAGE, 'check its address, and download it again'],
  'a file of TorchScript': [
    /^PK␃.*\bconstants\.pkl/s,
    saveTorch("torch.jit.load('model.pt', map_location='cpu').state_dict()"),
  ],
  'a file of PyTorch': [
    /^(PK␃.*\bdata\.pkl|\x80␂\x8a\nl\xfc\x9cF\xf9 j\xa8P␙)/s,
    saveTorch("torch.load('model.pt', map_location='cpu', weights_only=True)"),
  ],
  'a file of NumPy (.npz)': [/^PK␃.*\.npy/s, save('', "numpy.load('model.npz')")],
  'an array of NumPy (.npy)': [/^\x93NUMPY/, save('', "{'w': numpy.load('w.npy')}")],
  'a pickle of Python': [
    /^\x80[␂-␅].*\.$/s,
    `if you trust its code, ${save('pickle, ', "pickle.load(open('model.pkl', 'rb'))")}`,
  ],
  'a model of TensorFlow Lite': [/^.{4}TFL3/s, NO_LAYERS],
  'a model of Core ML': [/^␈.␒.{1,3}\n.{1,2}\n/s, NO_LAYERS],
  'a graph of TensorFlow': [/^\n.{1,3}\n.[!-~]+␒.[A-Z_]\w/s, NO_LAYERS],
  'a SavedModel of TensorFlow': [
    /^␈␁␒/,
    'if it is of Keras 2, convert it: tensorflowjs_converter --input_format=keras_saved_model FOLDER OUT',
  ],
  'a model of ONNX': [
    /^␈[␃-␔](␒.[ -~]{3}|[:B])/s,
    save(
      'onnx, ',
      "{t.name: onnx.numpy_helper.to_array(t) for t in onnx.load('model.onnx').graph.initializer}",
    ),
  ],
  'a checkpoint of TensorFlow': [
    /W\xfb\x80\x8b\$uG\xdb$|^model_checkpoint_path: /,
    save(
      'tensorflow as tf, ',
      "{n: tf.train.load_variable('.', n) for n, _ in tf.train.list_variables('.') if n[0] != '_'}",
    ),
  ],
  'a model in GGUF': [
    /^GGUF/,
    save(
      'gguf, ',
      "{t.name: gguf.dequantize(t.data, t.tensor_type) for t in gguf.GGUFReader('model.gguf').tensors}",
    ),
  ],
  'an archive': [/^(␟\x8b|\(\xb5\/\xfd|7z\xbc\xaf|Rar!|.{257}ustar)/s, 'unpack it: 7z x FILE'],
  'an image or a PDF': [/^(\x89PNG|\xff\xd8\xff|GIF8|RIFF.{4}WEBP|%PDF-)/s, NO_MODEL],
  'ZIP, HDF5 or JSON': [
    /^(PK␃␄|\x89HDF|\s*[{[])/,
    'loadWeights reads those of Keras and TensorFlow.js',
  ],
};

/**
 * The first bytes as text, a character each, without a byte order mark. Control characters that are
 * not white space become their pictures, such as ␃ for 3.
 * @param {Uint8Array} bytes
 * @param {number} [count]
 */
const startOf = (bytes, count = 64) =>
  String.fromCharCode(...bytes.subarray(0, count))
    .replace(/^\xef\xbb\xbf/, '')
    .replace(/[^\s -\xff]/g, (control) => String.fromCharCode(0x2400 + control.charCodeAt(0)));

/** True if bytes are a web page. @param {Uint8Array} bytes */
export const isPage = (bytes) => PAGE.test(startOf(bytes));

/** True if bytes are the text of a JSON object. @param {Uint8Array} bytes */
export const isObjectText = (bytes) =>
  // The length of a header, with which safetensors begins, has 0 in this byte.
  /^\s*\{/.test(startOf(bytes)) && bytes[7] !== 0;

/** Throws FormatError for a known kind of file. @param {string} start @param {string} what */
const refuseKnown = (start, what) => {
  for (const [name, [begins, action]] of Object.entries(FOREIGN)) {
    if (begins.test(start)) throw new FormatError(`${what} is ${name}: ${action}`);
  }
};

/** Throws FormatError for an archive of a known kind. @param {Iterable<string>} names */
export const refuseArchive = (names) => refuseKnown(`PK␃${[...names].join(' ')}`, 'this');

/** Throws FormatError for known kinds and text. @param {Uint8Array} bytes @param {string} [what] */
export const refuseForeign = (bytes, what = 'this') => {
  const start = startOf(bytes, 512) + startOf(bytes.subarray(-8));
  refuseKnown(start, what);
  if (/[␀-␟]/.test(start)) return;
  throw new FormatError(`${what} is a text, ${describe(startOf(bytes))}: ${NO_MODEL}`);
};
