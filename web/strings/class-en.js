/** Texts of the classroom: challenges, handing in, codes of guesses, and the page for teachers. */

/** @satisfies {import('./en.js').Table} */
export const classEn = {
  /** Their names and tasks are in the words of their scenes. */
  challenges: {
    label: 'Challenge',
    check: 'Check my run',
    met: (score) => `You did it: ${score}. Fewer is better. Hand it in below.`,
    missed: (goal, found, limit) => `Not yet. ${goal}: ${found}. The challenge asks for ${limit}.`,
    atLeast: (limit) => `at least ${limit}`,
    atMost: (limit) => `at most ${limit}`,
    /** @type {Record<string, string>} */
    goals: {
      unlocked: 'Free cells',
      loss: 'Loss',
      step: 'Steps',
      score: 'Points on the right side',
      old: 'Old digits read correctly',
      fresh: 'New digits read correctly',
    },
    broken: {
      scene: 'This run belongs to another scene.',
      setup:
        'The run did not start as the scene opens: its size, seed, choices or optimizer are different.',
      steps: 'The run has more steps than the challenge allows.',
      zeros: 'Some cells were pruned before the run started.',
      mask: 'The cells are held by a mask. Use locks for this challenge.',
      locks: 'The locks were changed after the first step.',
      other: 'You changed something that must stay the same in this challenge.',
    },
  },

  handIn: {
    name: 'Your name, for the teacher',
    copy: 'Copy link to hand in',
    note: 'This link also contains your result, so your teacher can check it.',
  },

  presenter: { on: 'Presenter mode', off: 'Leave presenter mode' },

  guessCode: {
    label: 'Show my guess to the teacher',
    picture: (code) => `QR code of ${code}`,
    note: 'Show it to your teacher, who counts the guesses. It does not contain your name.',
  },

  /** The page for teachers. */
  teach: {
    title: 'For teachers',
    lede: 'Check the links that students hand in, and count their guesses. Nothing leaves this computer.',
    demo: 'Back to the demo',
    links: 'Check links',
    field: 'Links, one per line, or a table with names (CSV)',
    fieldHint:
      'You can also drop text files, CSV files and saved runs (JSON) anywhere on this page. If a table has a column next to the link, its text is used as the name.',
    file: 'Open files',
    run: 'Check',
    limit: 'Longest time for one link',
    clearLinks: 'Clear list',
    limits: { 10: '10 seconds', 60: '1 minute', 600: '10 minutes' },
    empty:
      'The text contains no link to a run. Copy whole links, including # and everything after it.',
    tooMany: (left, most) => `Only the first ${most} links are checked. ${left} are left out.`,
    tooLarge: 'One file was left out: it is too large. A list of links has less than 20 MB.',
    unread: (count, some) =>
      count === '1'
        ? `1 line without a link was left out: ${some}`
        : `${count} lines without a link were left out: ${some}`,
    busy: (at, all) => `Replaying link ${at} of ${all}`,
    done: (all, ok, wrong, rest) =>
      `${all} ${all === '1' ? 'link' : 'links'}: ${ok} true, ${wrong} false, ${rest} without a claim or not checked.`,
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
    locked: (locked, cells) => `${locked} of ${cells}`,
    moved: (moved) => `${moved} of them moved`,
    waiting: 'Waiting',
    verdicts: {
      true: 'True',
      false: 'False',
      none: 'No claim',
      unreadable: 'Unreadable',
      stopped: 'Not checked',
    },
    parts: {
      step: 'steps',
      locked: 'locked cells',
      loss: 'loss',
      digest: 'checksum of the values',
    },
    differs: (part, claimed, found) =>
      `${part}: the link says ${claimed}, but the replay gives ${found}`,
    /** @type {Record<string, (detail: string) => string>} */
    reasons: {
      field: (field) => `the link has a wrong value for “${field}”`,
      edits: (count) =>
        `${count} ${count === '1' ? 'edit' : 'edits'} in the link cannot be replayed`,
      claim: () => 'a part of the claim is missing or damaged',
      time: () => 'the replay takes longer than the limit',
      cancelled: () => 'cancelled',
      long: () => 'the link is too long',
      refused: (message) => `the replay stopped with an error: ${message}`,
    },
    same: (row) => `the same values as row ${row}`,
    noChallenge: 'there is no such challenge',

    tally: 'Count guesses',
    codes: 'Codes of the students’ guesses, in any order',
    codesHint:
      'A code looks like LEAK-LAB-B-7QK34. Its last letter tells if it is mistyped. The same code counts only once.',
    camera: 'Read QR codes with the camera',
    cameraOff: 'Stop the camera',
    view: 'Picture of the camera',
    noCamera:
      'This browser cannot read QR codes. Chrome and Edge can, on Android, ChromeOS and macOS. Paste the codes, or let students read them out.',
    cameraRefused: 'The camera could not be opened. Paste the codes instead.',
    clear: 'Clear codes',
    counted: (count) => `${count} ${count === '1' ? 'code is' : 'codes are'} counted.`,
    mistyped: (count, some) =>
      `${count} ${count === '1' ? 'is mistyped and does' : 'are mistyped and do'} not count: ${some}`,
    bar: (answer, count, share) => `${answer}: ${count} (${share})`,
  },
};
