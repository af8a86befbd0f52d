/* Values of JSON that are changed by their structure. */

/** Values that stand where others belong. */
const ODD = [
  null,
  true,
  -1,
  0,
  1,
  7,
  2 ** 31,
  2 ** 32,
  2 ** 53,
  1e300,
  0.5,
  '',
  'F32',
  'x',
  '__proto__',
  [],
  [0],
  [[]],
  [-1],
  [2 ** 40, 2 ** 40],
  {},
  { length: 3 },
  [0, 4],
  [null, 2],
];

/** Every property of a JSON value, as the object that has it and its key. @param {any} value @returns {[any, string][]} */
export const propertiesOf = (value) =>
  typeof value !== 'object' || value === null
    ? []
    : Object.keys(value).flatMap((key) => [
        /** @type {[any, string]} */ ([value, key]),
        ...propertiesOf(value[key]),
      ]);

/**
 * Change something of a JSON value.
 * @param {any} json
 * @param {(n: number) => number} draw
 */
export const changeJSON = (json, draw) => {
  const found = structuredClone(json);
  const properties = propertiesOf(found);
  for (let n = 1 + draw(2); n > 0 && properties.length > 0; n--) {
    const [owner, key] = properties[draw(properties.length)] ?? [{}, ''];
    const [other, from] = properties[draw(properties.length)] ?? [{}, ''];
    const way = draw(5);
    if (way === 0) delete owner[key];
    else if (way === 1) owner[key] = structuredClone(other[from]);
    else if (way === 2 && !Array.isArray(owner)) owner[String(ODD[draw(ODD.length)])] = owner[key];
    else if (way === 3 && typeof owner[key] === 'number') owner[key] += draw(3) - 1;
    else owner[key] = structuredClone(ODD[draw(ODD.length)]);
  }
  return found;
};
