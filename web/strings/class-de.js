/** German texts of the classroom, as in class-en.js. */

/** @type {typeof import('./class-en.js').classEn} */
export const classDe = {
  challenges: {
    label: 'Aufgabe',
    check: 'Meinen Lauf prüfen',
    of: {
      'three-cells': {
        name: 'Drei Zellen',
        task: 'Gib drei Zellen deiner Wahl frei und erreiche einen Verlust von 0.3 in möglichst wenigen Schritten. Wähle die Sperren vor dem ersten Schritt. Den Optimierer und seine Rate darfst du ändern.',
        score: (steps) => `${steps} Schritte`,
      },
      'few-weights': {
        name: 'Wenige Gewichte',
        task: 'Bringe 95 % der Punkte mit möglichst wenigen Gewichten auf die richtige Seite: beschneide, trainiere und beschneide wieder. Beschnittene Gewichte sind 0 und gesperrt. Daten und Schichten bleiben.',
        score: (weights) => `${weights} Gewichte bleiben`,
      },
      'old-digits': {
        name: 'Die alten Ziffern behalten',
        task: 'Trainiere 400 Schritte. Danach müssen mindestens 90 % der alten und 40 % der neuen Ziffern richtig gelesen werden. Nimm dafür möglichst wenige Sperren. Wähle sie vor dem ersten Schritt.',
        score: (locks) => `${locks} Sperren`,
      },
    },
    met: (score) => `Geschafft: ${score}. Weniger ist besser. Gib den Lauf unten ab.`,
    missed: (goal, found) => `Noch nicht: ${goal}. Es sind ${found}.`,
    atLeast: (limit) => `mindestens ${limit}`,
    atMost: (limit) => `höchstens ${limit}`,
    goals: {
      unlocked: 'freie Zellen',
      loss: 'der Verlust',
      step: 'die Schritte',
      score: 'Punkte auf der richtigen Seite',
      old: 'alte Ziffern',
      fresh: 'neue Ziffern',
    },
    broken: {
      scene: 'Der Lauf ist aus einer anderen Szene.',
      setup: 'Der Lauf hat eine andere Größe, Startzahl oder Wahl als die Szene beim Öffnen.',
      steps: 'Der Lauf hat zu viele Schritte.',
      zeros: 'Der Lauf beginnt mit beschnittenen Zellen.',
      mask: 'Eine Maske hält die Zellen; in dieser Aufgabe geht es um Sperren.',
      locks: 'Die Sperren wurden nach dem ersten Schritt geändert.',
      other: 'Der Lauf hat eine Änderung, die die Aufgabe nicht erlaubt.',
    },
  },

  handIn: {
    name: 'Dein Name, für die Lehrkraft',
    copy: 'Link zum Abgeben kopieren',
    note: 'Dieser Link sagt auch, was der Lauf ergab. So kann deine Lehrkraft ihn prüfen.',
    presenter: 'Vorführmodus',
    presenterOff: 'Vorführmodus beenden',
  },

  ballot: {
    label: 'Code meiner Vermutung zeigen',
    picture: (code) => `QR-Code von ${code}`,
    note: 'Deine Lehrkraft kann ihn zählen. Er enthält keinen Namen.',
  },

  video: {
    gif: 'Film (GIF)',
    webm: 'Film (WebM)',
    noWebm: 'Dieser Browser kann kein WebM aufnehmen. Das GIF hat dieselben Bilder.',
    busy: (done, all) => `Bild ${done} von ${all}`,
    none: 'Es gibt noch nichts zu filmen. Trainiere erst einige Schritte.',
  },

  teach: {
    title: 'Für Lehrkräfte',
    lede: 'Prüfe Links, die abgegeben wurden, und zähle Vermutungen. Nichts verlässt diesen Computer.',
    demo: 'Zurück zur Demo',
    links: 'Links prüfen',
    field: 'Links, einer pro Zeile, oder eine Tabelle mit Namen (CSV)',
    fieldHint:
      'Du kannst auch Textdateien, CSV-Dateien und gespeicherte Läufe (JSON) auf diese Seite ziehen. Eine Spalte neben dem Link ist der Name.',
    file: 'Dateien öffnen',
    run: 'Prüfen',
    cancel: 'Abbrechen',
    limit: 'Höchstens, für einen Link',
    limits: { 10: '10 Sekunden', 60: '1 Minute', 600: '10 Minuten' },
    empty: 'Im Text ist kein Link. Ein Link enthält # und das, was danach kommt.',
    tooMany: (left, most) =>
      `Nur die ersten ${most} Links werden geprüft. ${left} bleiben ungeprüft.`,
    tooLarge: 'Diese Datei ist zu groß für eine Liste von Links.',
    busy: (at, all) => `Link ${at} von ${all} wird wiederholt`,
    done: (all, ok, wrong) => `${all} Links: ${ok} Behauptungen stimmen, ${wrong} nicht.`,
    csv: 'Als CSV speichern',
    table: 'Ergebnisse',
    columns: {
      name: 'Name',
      scene: 'Szene',
      optimizer: 'Optimierer',
      steps: 'Schritte',
      locks: 'Gesperrt',
      loss: 'Verlust',
      verdict: 'Behauptung',
      challenge: 'Aufgabe',
      time: 'Sekunden',
      link: 'Lauf',
    },
    open: 'Öffnen',
    locked: (locked, cells) => `${locked} von ${cells}`,
    moved: (moved) => `${moved} verschoben`,
    waiting: 'Wartet',
    verdicts: {
      true: 'Stimmt',
      false: 'Falsch',
      none: 'Keine Behauptung',
      unreadable: 'Nicht lesbar',
      stopped: 'Nicht geprüft',
    },
    parts: {
      step: 'Schritte',
      locked: 'gesperrte Zellen',
      loss: 'Verlust',
      digest: 'Prüfsumme der Werte',
    },
    differs: (part, claimed, found) =>
      `${part}: der Link sagt ${claimed}, die Wiederholung ${found}`,
    reasons: {
      field: (field) => `„${field}“ im Link ist ungültig`,
      edits: (count) => `${count} Änderungen des Links lassen sich nicht wiederholen`,
      claim: () => 'die Behauptung ist beschädigt',
      time: () => 'es dauert länger als die Grenze',
      cancelled: () => 'abgebrochen',
      long: () => 'der Link ist zu lang',
      refused: (message) => `die Bibliothek hat ihn abgelehnt: ${message}`,
    },
    same: (row) => `dieselben Werte wie Zeile ${row}`,
    noChallenge: 'diese Aufgabe gibt es nicht',
    scored: (name, score) => `${name}: ${score}`,

    tally: 'Vermutungen zählen',
    codes: 'Codes der Vermutungen, in beliebiger Folge',
    codesHint: 'Jeder Code zählt einmal, zum Beispiel LEAK-LAB-B-7QK3.',
    camera: 'QR-Codes mit der Kamera lesen',
    cameraOff: 'Kamera anhalten',
    view: 'Bild der Kamera',
    noCamera:
      'Dieser Browser kann keine QR-Codes lesen. Chrome und Edge können es auf Android, ChromeOS und macOS. Füge die Codes ein oder lass sie vorlesen.',
    cameraRefused: 'Die Kamera ließ sich nicht öffnen. Füge die Codes stattdessen ein.',
    clear: 'Codes löschen',
    counted: (count) => `${count} Codes`,
    bar: (answer, count, share) => `${answer}: ${count} (${share})`,
  },
};
