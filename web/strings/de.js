/** The texts of en.js in German. */

import { classDe } from './class-de.js';
import { en } from './en.js';

/** @type {typeof en} */
export const de = {
  languageName: 'Deutsch',
  tagline: 'Sperre jede Zelle. Trainiere den Rest. Exakt.',
  gallery: {
    label: 'Szenen',
    all: 'Alle Szenen',
    groups: {
      start: 'Einstieg',
      leaks: 'Warum Masken lecken',
      networks: 'Netze',
      yours: 'Eigenes',
    },
    next: (name) => `Weiter: ${name}`,
    key: 'N öffnet die nächste Szene',
  },
  skip: 'Zum Knopf „Starten“',
  close: 'Schließen',
  cancel: 'Abbrechen',
  lockOrMask: {
    label: 'Was die Zellen hält',
    ...{ ways: { lock: 'Sperre', mask: 'Maske' }, drift: 'Drift um', moved: 'bewegt' },
    told: (moved, held) => `${moved} von ${held} gehaltenen Zellen`,
    by: (farthest) => `um bis zu ${farthest}`,
    other: {
      lock: (far, fades) =>
        `Üblicher Trick, Maske${far ? `: Es ${fades ? 'verblasst' : 'wandert'}.` : '.'}`,
      mask: 'Eine Sperre: wie du es hieltst.',
      ahead: 'Sobald du sperrst, siehst du hier, was der übliche Weg, eine Maske, tut.',
    },
    crops: 'Als gehalten, Sperre jetzt, Maske jetzt',
    none: 'Was du sperrst, bleibt, wie es jetzt ist, exakt. Der Rest läuft weiter.',
    maskHint: 'Eine Maske multipliziert den Gradienten der gehaltenen Zellen mit 0',
    stays: 'Deine Sperre: Kein Bit ändert sich.',
    since: 'seit der Sperre',
    kept: (told) => `Vorher, unter der Maske: ${told}.`,
    why: {
      adamW: 'Die Maske stoppt den Zug, doch jeder Schritt macht jede Zahl kleiner.',
      sgd: 'Die Maske stoppt ihren Gradienten, und einfaches SGD benutzt sonst nichts.',
      empty: 'Die Maske stoppt ihren Gradienten, und der Optimierer merkt sich keinen.',
      memory: 'Die Maske stoppt ihren Gradienten, doch der Optimierer merkt sich frühere.',
    },
    name: 'Dein Name',
    write: 'Einsperren',
    unwritable:
      'Dieser Name lässt sich hier nicht schreiben. Nimm A bis Z und 0 bis 9, höchstens 24 Buchstaben, oder ein größeres Gitter. Du kannst ihn auch mit dem Zeiger zeichnen.',
  },
  simpleOrFull: { more: 'Alle Regler', fewer: 'Weniger Regler' },

  run: {
    ...{ label: 'Lauf', play: 'Starten', pause: 'Anhalten', step: 'Schritt' },
    ...{ steps: '10 Schritte', reset: 'Von vorn' },
    resetHint:
      'Beginnt wieder bei Schritt 0. Sperren bleiben, und Rückgängig stellt den Lauf wieder her.',
    ...{ stepCount: 'Schritt', goesOn: '„Starten“ macht hier weiter', rewind: 'Gezeigter Schritt' },
    rewound: (step) => `Schritt ${step}`,
  },

  status: {
    ...{ ready: 'Bereit', running: 'Trainiert', paused: 'Angehalten' },
    ...{ settled: 'Zur Ruhe gekommen', allLocked: 'Alles gesperrt', diverged: 'Divergiert' },
    ...{ looking: 'Rückblick', replaying: 'Wiederholung' },
  },

  replay: (step, to) => `Der Lauf wird nachgerechnet: Schritt ${step} von ${to}`,

  settings: {
    label: 'Einstellungen',
    rule: 'Optimierer',
    rules: en.settings.rules,
    learningRate: 'Lernrate',
    learningRateSlider: 'Lernrate, in Stufen von 1, 2, 5',
    ...{ momentum: 'Momentum', weightDecay: 'Gewichtsabnahme', speed: 'Tempo' },
    speeds: (speed) => (speed ? `${speed} Schritte/s` : 'Maximal'),
    ...{ size: 'Gitter', seed: 'Startzahl', beside: 'Auch zeigen' },
    ...{ rivalRule: 'Anderer Optimierer', rivalRate: 'Seine Lernrate', theme: 'Dunkel oder hell' },
    toDark: 'Dunkel',
    toLight: 'Hell',
  },

  beside: {
    values: 'Werte',
    trueLock: 'Sperre',
    names: {
      none: 'Nichts',
      gradient: 'Gradient',
      slot0: 'Erstes Moment',
      slot1: 'Zweites Moment',
      velocity: 'Geschwindigkeit',
      change: 'Änderung seit Beginn',
      target: 'Ziel',
      pressure: 'Druck auf Sperren',
      clock: 'Gemachte Schritte',
      mask: 'Derselbe Lauf mit Maske',
      rule: 'Lauf mit anderem Optimierer',
    },
    mask: 'Trick: eine Maske',
  },

  prune: {
    label: 'Die kleinsten beschneiden',
    ...{ act: 'Beschneiden', anew: 'Beschneiden und zurückspulen' },
    hint: 'Die kleinsten Gewichte werden 0 und gesperrt',
  },

  share: {
    label: 'Teilen und speichern',
    link: 'Link zu genau diesem Lauf',
    copy: 'Link kopieren',
    copied: 'Kopiert',
    notCopied:
      'Der Browser hat das Kopieren nicht erlaubt. Der Text ist markiert: Kopiere ihn mit der Tastatur.',
    embed: 'Zum Einbetten kopieren',
    tooLong: 'Dieser Lauf ist zu lang für einen Link. Speichere ihn als Datei; sie enthält alles.',
    png: 'Bild (PNG)',
    svg: 'Vektorbild (SVG)',
    pictured: (name, step) => `${name} bei Schritt ${step}`,
    described: (loss, locked) =>
      `Jedes Quadrat ist eine Zahl, seine Farbe zeigt den Wert. Umrandete Quadrate sind gesperrt: ${locked}. Der Verlust ist ${loss}.`,
    film: 'Film aufnehmen (GIF)',
    filmStop: 'Film beenden und speichern',
    filming: 'Der Film wird aufgenommen.',
    seconds: 'Sekunden',
    csv: 'Werte (CSV)',
    json: 'Lauf (JSON)',
    code: 'Code (npm)',
    open: 'Lauf öffnen (JSON)',
  },

  drift: {
    label: 'Drift',
    moved: (count) => `${count} bewegt`,
    which: 'Was die Kurve zeigt',
    chart: (drift, step) =>
      `Drift gehaltener Zellen nach ${step} Schritten: 0 unter der Sperre, ${drift} unter der Maske.`,
    mask: 'Drift unter der Maske',
    why: 'Der lecke Lauf hat den kleineren Verlust, denn er bewegt auch Zellen, die er halten sollte. Ein kleinerer Verlust beweist also nicht, dass eine Sperre hält.',
  },

  guess: {
    title: 'Erst raten',
    pass: 'Zeig es mir einfach',
    judged: (isRight, told) =>
      isRight === null ? told : `${isRight ? 'Richtig' : 'Nicht ganz'}. ${told}`,
    made: (answer) => `Deine Vermutung: „${answer}“.`,
  },

  code: {
    label: 'Code dieses Laufs',
    copy: 'Code kopieren',
    page: 'Als lauffähige Seite speichern',
    long: (thousands) =>
      `Dies sind die ersten Zeilen von ${thousands}.000 Zeichen. Kopiere oder speichere den Code, um alles zu bekommen.`,
  },

  own: {
    label: 'Deine Zahlen',
    paste: 'Tabelle einfügen',
    field:
      'Zahlen, eine Tabellenzeile je Zeile: CSV, aus einer Tabelle oder JSON. Lass Lücken leer, oder schreibe „?“.',
    use: 'Diese Zahlen nehmen',
    file: 'Datei wählen',
    example: '0 0,5 1\n0,5 ? 0,5\n1 0,5 0',
    drop: 'Lege Zahlen, ein Bild oder einen gespeicherten Lauf hier ab',
    taken: (rows, cols) => `Deine Tabelle: ${rows} Zeilen und ${cols} Spalten.`,
    questions: {
      header: 'Die erste Zeile hat',
      headers: ['Namen', 'Zahlen'],
      names: 'Namen der Zeilen',
      none: 'keine',
      decimal: 'Dezimalzeichen',
      marks: ['Punkt', 'Komma'],
    },
    hidden: 'Das Gitter ist zu groß für Namen. Sie stehen im Feld „Zelle“.',
    scaled: (divisor) => `Alle Zahlen sind durch ${divisor} geteilt.`,
    image: (rows, cols) =>
      `Dein Bild: ${rows} Zeilen und ${cols} Spalten. Schwarz ist −1, Weiß ist +1.`,
    gaps: (count) =>
      count === 1
        ? 'Die Lücke ist frei, der Rest gesperrt.'
        : `Die ${count} Lücken sind frei, der Rest ist gesperrt.`,
    erased: 'Teile sind gelöscht.',
    stays: 'Der vorige Lauf ist noch da.',
    problems: {
      empty: () => 'Im Feld stehen noch keine Zahlen.',
      ragged: ({ line, isRow, count, wanted }) =>
        `${isRow ? 'Tabellenzeile' : 'Zeile'} ${line} hat ${count} ${count === 1 ? 'Zelle' : 'Zellen'}, die erste aber ${wanted}.`,
      quote: ({ line }) => `Zeile ${line}: Eine Zelle in Anführungszeichen endet nicht mit ihnen.`,
      header: ({ line, given }) =>
        `Zeile ${line}, „${given} …“, kann Namen oder Zahlen haben. Wähle unter dem Feld.`,
      decimals: ({ line, column, given }) =>
        `Zeile ${line}, Zelle ${column}: „${given}“ hat ein anderes Dezimalzeichen als andere Zellen.`,
      notANumber: ({ line, isRow, column, given }) =>
        `${isRow ? 'Tabellenzeile' : 'Zeile'} ${line}, Zelle ${column}: „${given}“ ist keine Zahl.`,
      noCell: ({ line, column }) => `Zeile ${line}, Zelle ${column} ist leer.`,
      grouped: ({ line, column, given }) =>
        `Zeile ${line}, Zelle ${column}: „${given}“ kann eine Zahl oder das Tausendfache heißen. Wähle das Dezimalzeichen unter dem Feld.`,
      tooLarge: () => 'Das ist zu groß. Nimm höchstens 128 Zeilen und 128 Spalten.',
      tooSmall: () => 'Das ist zu klein. Nimm mindestens zwei Zeilen und zwei Spalten.',
      image: () => 'Der Browser kann diese Datei nicht als Bild lesen.',
      json: () => 'Das beginnt wie JSON, ist aber kein gültiges JSON.',
      jsonShape: () =>
        'Dieses JSON enthält keine Tabelle. Nimm eine Liste von Zeilen wie [[0, 1], [1, 0]] oder ein Objekt, das eine solche Liste als "values" enthält.',
      binary: () => 'Diese Datei ist weder Text noch ein Bild.',
      oneColumn: () =>
        'Es gibt nur eine Spalte. Messwerte brauchen zwei: x und y. Eine dritte kann Sigma sein.',
      oneX: () => 'Alle Messwerte haben dasselbe x. Sie brauchen verschiedene x, bis 3,4e38.',
      fewPoints: ({ count }) => `Es gibt ${count} Zeilen mit Messwerten. Nimm mindestens 4.`,
      manyPoints: ({ count }) => `Es gibt ${count} Zeilen mit Messwerten. Nimm höchstens 2000.`,
      sigma: ({ line, column, given }) =>
        `Zeile ${line}, Zelle ${column}: Sigma ist ${given}. Sigma ist die Unsicherheit von y und muss über 0 liegen.`,
    },
  },
  points: {
    label: 'Deine eigenen Messwerte',
    field: 'Spalten x, y und, falls bekannt, Sigma: CSV oder aus einer Tabelle',
    use: 'Diese Messwerte nehmen',
    file: 'Oder eine CSV-Datei',
    back: 'Zurück zum Beispiel',
    example: 'x;y;sigma\n0;0,2;0,1\n1;0,9;0,1\n2;0,3;0,1',
    taken: (count, names) =>
      `${count} Messwerte. x, y${names.length > 2 ? ' und Sigma' : ''} kommen aus den Spalten ${names.join(', ')}.`,
    noSigma: 'Sigma fehlt, also werden die Fehler aus der Abweichung geschätzt.',
    left: (count) =>
      count === 1
        ? 'Eine weitere Spalte bleibt ungenutzt.'
        : `${count} weitere Spalten bleiben ungenutzt.`,
    scaled:
      'Im Gitter stehen skalierte Werte; Bild und Bericht haben deine. Glocken stehen auf 0: Ziehe einen Untergrund vorher ab.',
  },
  fit: {
    label: 'Bericht der Anpassung',
    caption:
      'Die beste Anpassung von hier aus, in den Einheiten der Daten. ± ist der Standardfehler.',
    ...{ parameter: 'Parameter', found: 'Wert', min: 'Min', max: 'Max' },
    exact: '(gesperrt: exakt)',
    heldAt: { min: 'gehalten am Minimum', max: 'gehalten am Maximum' },
    take: 'Zellen auf diese Anpassung setzen',
    text: 'Der ganze Bericht als Text (englisch)',
    stopped: {
      gradient: 'Die Anpassung ist am Ziel: Kein freier Parameter kann sie verbessern.',
      change: 'Die Anpassung ist am Ziel: Ein ganzer Schritt ändert nichts mehr, was zählt.',
      resolution: 'Die Anpassung ist am Ziel, soweit 32-Bit-Zahlen das zeigen.',
      steps: 'Die Anpassung ist nicht am Ziel: Sie hat alle erlaubten Schritte gebraucht.',
      noProgress: 'Die Anpassung ist nicht am Ziel: Von hier aus findet sie nichts Besseres.',
      notFinite: 'Die Anpassung ist nicht am Ziel: Die Zahlen sind ins Unendliche gewachsen.',
      unbounded: 'Die Anpassung ist nicht am Ziel: Sie wird ohne Ende besser.',
      locked: 'Alle Parameter sind gesperrt, also gibt es nichts anzupassen.',
    },
    chi: (chi, freedom) => `Reduziertes χ² = ${chi} bei ${freedom} Freiheitsgraden.`,
    poor: 'Das liegt weit über 1: Anderswo passt es besser, oder dem Modell fehlt etwas. Trainiere zuerst, oder setze einen Start von Hand.',
    fromSigma: 'Die Fehler folgen aus dem bekannten Rauschen.',
    fromResiduals: 'Die Fehler sind aus der Abweichung geschätzt.',
    undetermined: (names) =>
      `Die Daten können diese nicht unterscheiden, also sind ihre Fehler unendlich: ${names}. Sperre einen davon, oder gib weniger frei.`,
    refused: 'Von hier aus gibt es keine Anpassung.',
  },

  lesson: {
    guess: 'Rate zuerst. Das Training zeigt die Antwort.',
    label: 'Rundgang',
    count: (at, all) => `${at} von ${all}`,
    ...{ back: 'Zurück', next: 'Weiter', done: 'Fertig', skip: 'Rundgang beenden' },
    act: 'Ausführen',
  },

  loss: {
    label: 'Verlust',
    log: 'Logarithmisch, wenn nötig',
    chart: (first, now, steps) =>
      `Verlust je Schritt: von ${first} auf ${now} in ${steps} Schritten`,
    empty: 'Hier wird der Verlust gezeichnet, Schritt für Schritt.',
    marker: 'Sperren geändert',
    rival: 'anderer Lauf',
    lost: 'keine Zahl',
  },

  locks: {
    label: 'Sperren',
    all: 'Alle sperren',
    none: 'Alle freigeben',
    whole: (name) => `${name}: alle sperren`,
    matrix: 'Die ganze Matrix sperren oder freigeben',
    draw: 'Sperren zeichnen',
    drawHint: 'Dein Finger zeichnet Sperren, statt zu scrollen',
    invert: 'Umkehren',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    brush: 'Pinsel',
    brushes: (side) => (side === 1 ? '1 Zelle' : `${side} × ${side}`),
    count: (locked, all) => `${locked} von ${all} Zellen gesperrt`,
    masked: (held, all) => `${held} von ${all} Zellen von einer Maske gehalten`,
    both: (held, all) => `${held} von ${all} Zellen gehalten`,
    moved: (moved, count) =>
      count === 0 ? 'keine vom Training bewegt' : `${moved} haben sich bewegt: bitte melde das`,
  },

  lede: {
    free: 'Nichts ist jetzt gesperrt: Alles ändert sich.',
    masked: 'Nun hält sie eine Maske: kein Zug. Und doch bewegen sie sich.',
    empty: 'Male einen Strich: Eine Maske wird ihn halten.',
    again: 'Eine Sperre hält sie wieder exakt. Was die Maske bewegt hat, ist verloren.',
    byTouch: (text) =>
      text
        .replace('Klicke', 'Tippe')
        .replace('oder male einen Strich', 'oder halte und male')
        .replace('Drücke eine', 'Halte eine'),
  },

  legend: {
    label: 'Legende',
    locked: 'gesperrt',
    blank: 'leer',
    drifted: 'von einer Maske gehalten, aber bewegt',
    half: 'bewegt; untere Hälfte: vorher',
    next: 'nächster Schritt',
  },

  inspector: {
    label: 'Zelle',
    where: (row, col) => `Zeile ${row}, Spalte ${col}`,
    locked: 'Gesperrt',
    free: 'Frei',
    lockedHint: 'Gesperrt: drücken gibt frei',
    freeHint: 'Frei: drücken sperrt',
    edit: 'Wert setzen',
    value: 'Wert',
    bits: 'Bits',
    goal: 'Ziel',
    gradient: 'Gradient',
    gradientHeld: 'Gradient, ignoriert',
    next: 'nächster Schritt trotz Maske',
    memory: '… durch frühere Gradienten',
    decay: '… durch Gewichtsabnahme',
    clock: 'trainiert',
    steps: (steps, isOne) => `${steps} ${isOne ? 'Schritt' : 'Schritte'}`,
    slots: {
      m: 'erstes Moment m',
      v: 'zweites Moment v',
      momentum: 'Geschwindigkeit',
    },
  },

  licences: 'Lizenzen',
  reference: [
    'Aufsatz (englisch): Warum eingefrorene Gewichte sich bewegen',
    'Referenz (englisch): Anleitung, JavaScript und C',
  ],
  about: {
    label: 'Worum es geht',
    colours: [
      'Was die Farben bedeuten',
      'Jede Zelle ist eine Zahl: blau über 0, orange darunter, blass nahe 0. Das Training ändert in jedem Schritt alle freien Zahlen ein wenig, sodass der Verlust sinkt. Eine gesperrte Zahl bleibt, wie sie ist, bis aufs Bit (jede 0 und 1 im Speicher).',
    ],
    leaks: [
      'Warum eine Maske leckt',
      'Der übliche Trick multipliziert den Gradienten der gehaltenen Zahlen mit 0. Doch Optimierer folgen nicht nur dem Gradienten. Momentum und Adam machen mit früheren Gradienten weiter, und Gewichtsabnahme lässt jede Zahl schrumpfen. So wandern gehaltene Zahlen, und niemand sagt es. Eine Sperre nimmt eine Zahl aus dem Optimierer: kein Schritt, kein Gedächtnis, keine Abnahme.',
    ],
    above: (told) => `Oben: ${told}.`,
    uses: [
      'Wozu Sperren gut sind',
      'Lehre ein Netz etwas Neues und behalte, was es kann. Entferne Gewichte und trainiere den Rest. Fülle die Lücken einer Tabelle und lass, was gemessen ist. Passe eine Kurve an, von der einige Parameter bekannt sind. Hefte Punkte einer Zeichnung fest.',
    ],
    library: [
      'In deinem Programm',
      'gradlock ist eine kleine C-Bibliothek, die in Browsern und in Node.js läuft. Sie kennt die Optimierer von TensorFlow und Keras.',
    ],
  },

  keys: {
    label: 'Tasten',
    list: [
      [
        'Pfeile',
        'gehen, auch zur nächsten Matrix und zu Namen, die eine ganze Zeile oder Spalte sperren',
      ],
      ['Leertaste, Eingabe', 'sperren oder freigeben'],
      ['Umschalt + Pfeile', 'Sperre der Zelle auf ein Rechteck ausdehnen'],
      ['0–9, −', 'Wert tippen'],
      ['Pos1, Ende', 'zu den Enden der Zeile gehen'],
      ['Bild auf, Bild ab', 'zehn Zeilen auf oder ab gehen'],
      ['Strg + Pos1, Ende', 'zur ersten oder letzten Zelle gehen'],
      ['Strg + Z, Strg + Y', 'rückgängig, wiederholen'],
      ['N', 'zur nächsten Szene gehen'],
    ],
  },

  messages: {
    dismiss: 'Schließen',
    locked: ({ row, col }) =>
      `Zeile ${row}, Spalte ${col} ist gesperrt und behält ihren Wert. Gib sie zuerst frei (Leertaste), dann setze den Wert.`,
    notANumber: ({ given, kept }) => `„${given}“ ist keine Zahl, also behält die Zelle ${kept}.`,
    grouped: ({ given, kept }) =>
      `„${given}“ kann eine Zahl oder das Tausendfache heißen, also behält die Zelle ${kept}. Schreibe sie ohne Komma.`,
    beyond: ({ given, kept }) =>
      `„${given}“ ist zu groß für eine 32-Bit-Zahl, also behält die Zelle ${kept}. Schreibe eine Zahl bis 3.4e38.`,
    options: {
      learningRate: ({ given, kept }) =>
        `„${given}“ ist keine Lernrate, also bleibt ${kept}. Schreibe eine Zahl ab 0, etwa 0.01.`,
      momentum: ({ given, kept }) =>
        `„${given}“ ist kein Momentum, also bleibt ${kept}. Schreibe eine Zahl ab 0 und unter 1.`,
      weightDecay: ({ given, kept }) =>
        `„${given}“ ist keine Gewichtsabnahme, also bleibt ${kept}. Schreibe eine Zahl ab 0, etwa 0.004.`,
    },
    outside:
      'Dieser Wert liegt außerhalb der Grenzen, also behält die Zelle ihren. Ändere zuerst die Grenzen.',
    bound:
      'Die Zelle ist auf einem Wert außerhalb dieser Grenzen gesperrt. Nichts hat sich geändert.',
    range: ({ name }) =>
      `Das sind keine Grenzen für ${name}: Gib Zahlen ein, das Minimum höchstens so groß wie das Maximum. Nichts hat sich geändert.`,
    noScene:
      'Dieser Link oder diese Datei nennt keine Szene dieser Seite. Vielleicht ist etwas beschädigt oder stammt von einer neueren Version der Seite. Stattdessen ist eine andere Szene offen.',
    link: ({ field }) =>
      `Ein Teil dieses Links oder dieser Datei ließ sich nicht lesen (${field}). Der Rest ist geladen.`,
    edits: ({ left }) =>
      `${left === 1 ? 'Eine Änderung' : `${left} Änderungen`} dieses Laufs ${left === 1 ? 'ließ' : 'ließen'} sich nicht lesen. Der Lauf wird ohne sie nachgerechnet, seine Zahlen können also anders sein.`,
    file: 'Diese Datei enthält keinen Lauf. Nichts hat sich geändert.',
    refused: ({ field }) => `Das wurde abgelehnt (${field}). Nichts hat sich geändert.`,
    diverged:
      'Die Zahlen sind ohne Grenze gewachsen: Die Lernrate ist zu groß für diesen Optimierer. Graue Zellen sind keine Zahlen mehr; gesperrte Zellen behalten ihre Werte. Beginne von vorn mit einer kleineren Lernrate.',
    tooLarge:
      'Der gesetzte Wert ist so groß, dass der Verlust in keine 32-Bit-Zahl passt. Mach das rückgängig oder setze einen kleineren Wert.',
    drawing: 'Ein Teil dieser Seite ließ sich nicht zeichnen. Der Lauf geht weiter.',
    figure: 'Diese Abbildung ließ sich nicht zeichnen. Der Lauf geht weiter.',
    offline:
      'Ein Teil dieser Seite ist noch nicht geladen, und der Server ist nicht erreichbar. Nichts hat sich geändert. Prüfe die Verbindung und versuche es noch einmal. Hilft das nicht, lade die Seite neu.',
    failed: 'Die Bibliothek hat das abgelehnt. Nichts hat sich geändert.',
    sandboxed:
      'Die Demo konnte ihren Worker nicht starten, denn sie ist in einem Rahmen mit Sandbox. Ergänze die Sandbox des Rahmens um allow-same-origin.',
    broken:
      'Die Demo konnte nicht starten. Sie braucht einen Browser ab 2023 mit WebAssembly SIMD.',
  },

  spoken: (status, step, loss, locks, drift) =>
    `${status}. Schritt ${step}, Verlust ${loss}, ${locks}.${drift && ` ${drift}.`}`,

  ...classDe,
};
