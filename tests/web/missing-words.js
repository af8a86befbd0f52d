/** What the words of a scene lack. */

/** @param {import('../../web/scenes/scene.js').Scene} scene @param {import('../../web/scenes/scene.js').Setup} setup @param {any} words of the scene @returns {string[]} keys */
export function missingWords(scene, setup, words) {
  // A grid that is alone has the scene's name.
  const grids = Object.keys(scene.shapes?.(setup) ?? {});
  const wanted = [
    ...['name', 'card', 'lede', 'hint', 'lesson'],
    ...Object.entries(scene.choices).flatMap(([name, values]) => [
      `choices.${name}.label`,
      ...values.map((value) => `choices.${name}.names.${value}`),
    ]),
    ...(grids.length > 1 ? grids.map((name) => `grids.${name}`) : []),
    ...(scene.figures ?? []).map(({ id }) => `figures.${id}`),
    ...(scene.guess ? ['guess.question', 'guess.answers', 'guess.told'] : []),
    ...(scene.challenge ? ['challenge.name', 'challenge.task', 'challenge.score'] : []),
  ];
  return wanted.filter(
    (path) => path.split('.').reduce((table, key) => table?.[key], words) === undefined,
  );
}
