// Parts of the library that other entries use through an instance instead of a copy: readers of
// arguments, and the classes of errors.
import { bindMethods } from './bind.js';
import {
  describe,
  describeList,
  formatShape,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCallback,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  refusePromise,
  sizeOf,
  typeError,
  unflatten,
} from './check.js';
import {
  DisposedError,
  FormatError,
  GradlockError,
  HandleError,
  LimitError,
  LockedElementError,
  OptionError,
  ShapeError,
} from './errors.js';
import { noneFree, warn } from './none-free.js';
import { makeStrict } from './strict.js';
import { suggest } from './suggest.js';
import { decodeText, encodeText } from './text.js';

export const kitParts = {
  bindMethods,
  makeStrict,
  noneFree,
  warn,
  suggest,
  decodeText,
  encodeText,
  describe,
  describeList,
  formatShape,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCallback,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  refusePromise,
  sizeOf,
  typeError,
  unflatten,
  DisposedError,
  FormatError,
  GradlockError,
  HandleError,
  LimitError,
  LockedElementError,
  OptionError,
  ShapeError,
};
