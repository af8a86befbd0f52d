// What entries that stand on an instance take from the library, so that they need not bring a copy:
// what reads arguments, and the classes of errors.
import { bindMethods } from './bind.js';
import {
  describe,
  describeList,
  formatShape,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  sizeOf,
  typeError,
} from './check.js';
import {
  DisposedError,
  FormatError,
  GradlockError,
  HandleError,
  LimitError,
  OptionError,
  ShapeError,
} from './errors.js';
import { decodeText, encodeText } from './text.js';

export const shared = {
  bindMethods,
  decodeText,
  encodeText,
  describe,
  describeList,
  formatShape,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  sizeOf,
  typeError,
  DisposedError,
  FormatError,
  GradlockError,
  HandleError,
  LimitError,
  OptionError,
  ShapeError,
};
