// What entries that stand on an instance take from the library, so that they need not bring a copy:
// what reads arguments, and the classes of errors.
import {
  describe,
  formatShape,
  isList,
  isRecord,
  ownProperties,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
} from './check.js';
import { FormatError, GradlockError, LimitError, OptionError, ShapeError } from './errors.js';

export const shared = {
  describe,
  formatShape,
  isList,
  isRecord,
  ownProperties,
  readCount,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  FormatError,
  GradlockError,
  LimitError,
  OptionError,
  ShapeError,
};
