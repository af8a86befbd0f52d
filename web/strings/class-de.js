/** German texts of the classroom, as in class-en.js. */

/** @type {typeof import('./class-en.js').classEn} */
export const classDe = {
  challenges: {
    label: 'Aufgabe',
    check: 'Meinen Lauf prüfen',
    met: (score) => `Geschafft: ${score}. Weniger ist besser. Gib den Lauf unten ab.`,
    missed: (goal, found, limit) => `Noch nicht. ${goal}: ${found}. Verlangt: ${limit}.`,
    atLeast: (limit) => `mindestens ${limit}`,
    atMost: (limit) => `höchstens ${limit}`,
    goals: {
      unlocked: 'Freie Zellen',
      loss: 'Verlust',
      step: 'Schritte',
      score: 'Punkte auf der richtigen Seite',
      old: 'Richtig gelesene alte Ziffern',
      fresh: 'Richtig gelesene neue Ziffern',
    },
    broken: {
      scene: 'Dieser Lauf gehört zu einer anderen Szene.',
      setup:
        'Der Lauf hat anders begonnen als die Szene: Größe, Startzahl, Auswahl oder Optimierer sind anders.',
      steps: 'Der Lauf hat mehr Schritte, als die Aufgabe erlaubt.',
      zeros: 'Einige Zellen wurden schon vor dem Lauf beschnitten.',
      mask: 'Eine Maske hält die Zellen. Nimm für diese Aufgabe Sperren.',
      locks: 'Die Sperren wurden nach dem ersten Schritt geändert.',
      other: 'Du hast etwas geändert, das in dieser Aufgabe gleich bleiben muss.',
    },
  },

  handIn: {
    name: 'Dein Name, für die Lehrkraft',
    copy: 'Link zum Abgeben kopieren',
    note: 'Dieser Link enthält auch dein Ergebnis, damit deine Lehrkraft es prüfen kann.',
  },

  presenter: { on: 'Vorführmodus', off: 'Vorführmodus beenden' },

  guessCode: {
    label: 'Der Lehrkraft zeigen',
    picture: (code) => `QR-Code von ${code}`,
    note: 'Zeig ihn deiner Lehrkraft, die die Vermutungen zählt. Dein Name steht nicht darin.',
  },

  teach: {
    title: 'Für Lehrkräfte',
    lede: 'Prüfe die Links, die deine Klasse abgibt, und zähle ihre Vermutungen. Alle Daten bleiben auf diesem Computer.',
    demo: 'Zurück zur Demo',
    links: 'Links prüfen',
    field: 'Links, einer pro Zeile, oder eine Tabelle mit Namen (CSV)',
    fieldHint:
      'Du kannst auch Textdateien, CSV-Dateien und gespeicherte Läufe (JSON) auf diese Seite ziehen. Hat eine Tabelle eine Spalte neben dem Link, steht dort der Name.',
    file: 'Dateien öffnen',
    run: 'Prüfen',
    limit: 'Längste Zeit für einen Link',
    clearLinks: 'Liste leeren',
    limits: { 10: '10 Sekunden', 60: '1 Minute', 600: '10 Minuten' },
    empty:
      'Im Text steht kein Link zu einem Lauf. Kopiere ganze Links, mit # und allem, was danach kommt.',
    tooMany: (left, most) =>
      `Nur die ersten ${most} Links werden geprüft. ${left} bleiben ungeprüft.`,
    tooLarge:
      'Eine Datei wurde ausgelassen: Sie ist zu groß. Eine Liste von Links hat weniger als 20 MB.',
    unread: (count, some) =>
      count === '1'
        ? `1 Zeile ohne Link wurde ausgelassen: ${some}`
        : `${count} Zeilen ohne Link wurden ausgelassen: ${some}`,
    busy: (at, all) => `Link ${at} von ${all} wird nachgerechnet`,
    done: (all, ok, wrong, rest) =>
      `${all} ${all === '1' ? 'Link' : 'Links'}: ${ok} ${ok === '1' ? 'stimmt' : 'stimmen'}, ${wrong} falsch, ${rest} ohne Behauptung oder nicht geprüft.`,
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
    moved: (moved) => `${moved} davon bewegt`,
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
      `${part}: Der Link sagt ${claimed}, das Nachrechnen ergibt ${found}`,
    reasons: {
      field: (field) => `der Link hat einen falschen Wert für „${field}“`,
      edits: (count) =>
        `${count} ${count === '1' ? 'Änderung im Link lässt' : 'Änderungen im Link lassen'} sich nicht nachrechnen`,
      claim: () => 'ein Teil der Behauptung fehlt oder ist beschädigt',
      time: () => 'das Nachrechnen dauert länger als erlaubt',
      cancelled: () => 'abgebrochen',
      long: () => 'der Link ist zu lang',
      refused: (message) => `das Nachrechnen endete mit einem Fehler: ${message}`,
    },
    same: (row) => `dieselben Werte wie Zeile ${row}`,
    noChallenge: 'diese Aufgabe gibt es nicht',

    tally: 'Vermutungen zählen',
    codes: 'Codes der Vermutungen, in beliebiger Reihenfolge',
    codesHint:
      'Ein Code sieht aus wie LEAK-LAB-B-7QK34. Sein letztes Zeichen zeigt, ob er vertippt ist. Derselbe Code zählt nur einmal.',
    camera: 'QR-Codes mit der Kamera lesen',
    cameraOff: 'Kamera ausschalten',
    view: 'Kamerabild',
    noCamera:
      'Dieser Browser kann keine QR-Codes lesen. Chrome und Edge können es auf Android, ChromeOS und macOS. Füge die Codes ein oder lass sie vorlesen.',
    cameraRefused: 'Die Kamera ließ sich nicht öffnen. Füge die Codes stattdessen ein.',
    clear: 'Codes löschen',
    counted: (count) => `${count} ${count === '1' ? 'Code zählt' : 'Codes zählen'}.`,
    mistyped: (count, some) =>
      `${count} ${count === '1' ? 'ist vertippt und zählt' : 'sind vertippt und zählen'} nicht: ${some}`,
    bar: (answer, count, share) => `${answer}: ${count} (${share})`,
  },
};
