/** Texts of the classroom: challenges, handing in, codes of guesses, and the page for teachers. */

export const classEn = {
  /** The challenges of scenes/challenges.js. */
  challenges: {
    label: 'Challenge',
    check: 'Check my run',
    /** @type {Record<string, { name: string, task: string, score: (count: string) => string }>} */
    of: {
      'three-cells': {
        name: 'Three cells',
        task: 'Free three cells of your choice, and reach a loss of 0.3 in as few steps as you can. Choose the locks before the first step. You may change the optimizer and its rate.',
        score: (steps) => `${steps} steps`,
      },
      'few-weights': {
        name: 'Few weights',
        task: 'Put 95 % of the points on the right side with as few weights as you can: prune, train, and prune again. Pruned weights are 0 and locked. Keep the data and the layers.',
        score: (weights) => `${weights} weights are left`,
      },
      'old-digits': {
        name: 'Remember the old digits',
        task: 'Train 400 steps. Then at least 90 % of the old digits and 40 % of the new ones must be read correctly. Do it with as few locks as you can. Choose them before the first step.',
        score: (locks) => `${locks} locks`,
      },
    },
    /** @param {string} score */
    met: (score) => `You did it: ${score}. Fewer is better. Hand it in below.`,
    /** @param {string} goal @param {string} found */
    missed: (goal, found) => `Not yet: ${goal}. It is ${found}.`,
    /** @param {string} limit */
    atLeast: (limit) => `at least ${limit}`,
    /** @param {string} limit */
    atMost: (limit) => `at most ${limit}`,
    /** @type {Record<string, string>} */
    goals: {
      unlocked: 'free cells',
      loss: 'the loss',
      step: 'the steps',
      score: 'points on the right side',
      old: 'old digits',
      fresh: 'new digits',
    },
    /** @type {Record<string, string>} */
    broken: {
      scene: 'The run is of another scene.',
      setup: 'The run has another size, seed or choice than the scene opens with.',
      steps: 'The run has too many steps.',
      zeros: 'The run starts with pruned cells.',
      mask: 'A mask holds the cells; this challenge is about locks.',
      locks: 'The locks were changed after the first step.',
      other: 'The run has a change that the challenge does not allow.',
    },
  },

  handIn: {
    name: 'Your name, for the teacher',
    copy: 'Copy link to hand in',
    note: 'This link also says what the run came to, so your teacher can check it.',
    presenter: 'Presenter mode',
    presenterOff: 'Leave presenter mode',
  },

  ballot: {
    label: 'Show the code of my guess',
    /** @param {string} code */
    picture: (code) => `QR code of ${code}`,
    note: 'Your teacher can count it. It has no name.',
  },

  /** The page for teachers. */
  teach: {
    title: 'For teachers',
    lede: 'Check the links that students hand in, and count their guesses. Nothing leaves this computer.',
    demo: 'Back to the demo',
    links: 'Check links',
    field: 'Links, one per line, or a table with names (CSV)',
    fieldHint:
      'You can also drop text files, CSV files and saved runs (JSON) anywhere on this page. A column beside the link is the name.',
    file: 'Open files',
    run: 'Check',
    cancel: 'Cancel',
    limit: 'At most, for one link',
    limits: { 10: '10 seconds', 60: '1 minute', 600: '10 minutes' },
    empty: 'There is no link in the text. A link contains # and what comes after it.',
    /** @param {string} left @param {string} most */
    tooMany: (left, most) => `Only the first ${most} links are checked. ${left} are left out.`,
    tooLarge: 'This file is too large to be a list of links.',
    /** @param {string} at @param {string} all */
    busy: (at, all) => `Replaying link ${at} of ${all}`,
    /** @param {string} all @param {string} ok @param {string} wrong */
    done: (all, ok, wrong) => `${all} links: ${ok} claims are true, ${wrong} are not.`,
    csv: 'Save as CSV',
    table: 'Results',
    columns: {
      name: 'Name',
      scene: 'Scene',
      optimizer: 'Optimizer',
      steps: 'Steps',
      locks: 'Locked',
      loss: 'Loss',
      verdict: 'Claim',
      challenge: 'Challenge',
      time: 'Seconds',
      link: 'Run',
    },
    open: 'Open',
    /** @param {string} locked @param {string} cells */
    locked: (locked, cells) => `${locked} of ${cells}`,
    /** @param {string} moved */
    moved: (moved) => `${moved} moved`,
    waiting: 'Waiting',
    /** @type {Record<string, string>} */
    verdicts: {
      true: 'True',
      false: 'False',
      none: 'No claim',
      unreadable: 'Unreadable',
      stopped: 'Not checked',
    },
    /** @type {Record<string, string>} */
    parts: { step: 'steps', locked: 'locked cells', loss: 'loss', digest: 'digest of the values' },
    /** @param {string} part @param {string} claimed @param {string} found */
    differs: (part, claimed, found) => `${part}: the link says ${claimed}, the replay ${found}`,
    /** @type {Record<string, (detail: string) => string>} */
    reasons: {
      field: (field) => `“${field}” of the link is not valid`,
      edits: (count) => `${count} edits of the link cannot be replayed`,
      claim: () => 'the claim is damaged',
      time: () => 'it takes longer than the limit',
      cancelled: () => 'cancelled',
      long: () => 'the link is too long',
      refused: (message) => `the library refused it: ${message}`,
    },
    /** @param {string} row */
    same: (row) => `the same values as row ${row}`,
    noChallenge: 'there is no such challenge',
    /** @param {string} name @param {string} score */
    scored: (name, score) => `${name}: ${score}`,

    tally: 'Count guesses',
    codes: 'Codes of guesses, in any order',
    codesHint: 'Each code counts once, such as LEAK-LAB-B-7QK3.',
    camera: 'Read QR codes with the camera',
    cameraOff: 'Stop the camera',
    view: 'Picture of the camera',
    noCamera:
      'This browser cannot read QR codes. Chrome and Edge can, on Android, ChromeOS and macOS. Paste the codes, or let students read them out.',
    cameraRefused: 'The camera could not be opened. Paste the codes instead.',
    clear: 'Clear codes',
    /** @param {string} count */
    counted: (count) => `${count} codes`,
    /** @param {string} answer @param {string} count @param {string} share */
    bar: (answer, count, share) => `${answer}: ${count} (${share})`,
  },
};
