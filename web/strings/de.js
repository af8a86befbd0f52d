/** The texts of en.js in German. */

import { classDe } from './class-de.js';

/** Was aus den gehaltenen Zellen wurde, in Antworten. @param {import('../scenes/guesses.js').Facts} facts */
const locked = ({ held, moved, farthest }) =>
  moved
    ? `${moved} von ${held} gehaltenen Zellen haben sich bewegt, um bis zu ${farthest}.`
    : `Keine der ${held} gesperrten Zellen hat sich um ein einziges Bit bewegt (eine 0 oder 1 im Speicher).`;

/** The drawing pad of several scenes. */
const pad = {
  /** @param {boolean} isDown */
  label: (isDown) =>
    `Zeichne auf dieser Fläche eine Ziffer. Pfeiltasten bewegen den Stift, die Leertaste ${isDown ? 'hebt ihn' : 'setzt ihn auf'}, Entf leert die Fläche.`,
  samples: 'Ziffern von anderen',
  /** @param {number} digit */
  sample: (digit) => `Eine ${digit} von jemand anderem`,
  clear: 'Leeren',
};

/** A network that tells points of a plane apart. */
const plane = {
  /** @param {string} score @param {string} test @param {string} loss */
  label: (score, test, loss) =>
    `Das Netz ordnet ${score} der Punkte richtig zu, und ${test} von 160 Punkten, mit denen es nie trainiert (Verlust ${loss}).`,
};

/** A network whose layers are grids. */
const layered = {
  sizeLabel: 'Verborgene Schichten',
  choices: {
    data: {
      label: 'Daten',
      names: { circle: 'Kreis', xor: 'Entweder-oder', spiral: 'Spirale' },
    },
  },
  grids: { w1: 'Eingang zu Schicht 1', w2: 'Schicht 1 zu 2', w3: 'Ausgang' },
  whole: 'Die Schicht und ihren Bias sperren oder freigeben',
  names: { bias: 'Bias' },
};

/** @type {typeof import('./en.js').en} */
export const de = {
  languageName: 'Deutsch',
  title: 'gradlock',
  tagline: 'Sperre jede Zelle. Trainiere den Rest. Exakt.',
  gallery: {
    label: 'Szenen',
    all: 'Alle Szenen',
    close: 'Schließen',
    groups: {
      start: 'Einstieg',
      leaks: 'Warum Masken lecken',
      networks: 'Netze',
      yours: 'Eigenes',
    },
    next: (name) => `Nächste Szene: ${name}`,
    key: 'N öffnet die nächste Szene',
  },
  skip: 'Zum Knopf „Starten“',
  /** Der Schalter von der Sperre zur Maske, und der Name in dem Bild, mit dem die Seite beginnt. */
  hold: {
    label: 'Was die Zellen hält',
    ways: { lock: 'Sperre', mask: 'Maske' },
    /** @param {string} moved @param {string} held @param {string} farthest @param {number} count */
    told: (moved, held, farthest, count) =>
      count === 0
        ? `0 von ${held} gehaltenen Zellen haben sich bewegt`
        : `${moved} von ${held} gehaltenen Zellen haben sich bewegt, um bis zu ${farthest}`,
    why: {
      lock: 'Die Sperre nimmt diese Zellen aus dem Optimierer heraus. Darum bewegt sie nichts.',
      adamW:
        'Die Maske setzt den Gradienten dieser Zellen auf 0. Doch AdamW macht in jedem Schritt auch jede Zahl etwas kleiner (Gewichtsabnahme). Die Pfeile zeigen diese Schritte.',
      sgd: 'Die Maske setzt den Gradienten dieser Zellen auf 0. Einfaches SGD benutzt sonst nichts, darum hält sie. Wähle AdamW und sieh noch einmal hin.',
      empty:
        'Die Maske setzt den Gradienten dieser Zellen auf 0. Dieser Optimierer benutzt auch frühere Gradienten. Die Sperre hat keine angesammelt, darum hält die Maske vorerst. Wähle AdamW und sieh noch einmal hin.',
      memory:
        'Die Maske setzt den Gradienten dieser Zellen auf 0. Doch dieser Optimierer merkt sich frühere Gradienten, und die bewegen die Zellen weiter. Die Pfeile zeigen diese Schritte.',
    },
    /** Das Wort, bis jemand einen Namen schreibt. */
    word: 'HALT',
    name: 'Dein Name',
    write: 'Einsperren',
    unwritable:
      'Dieser Name lässt sich hier nicht schreiben. Nimm A bis Z und 0 bis 9, höchstens 24 Buchstaben, oder ein größeres Gitter. Du kannst ihn auch mit dem Zeiger zeichnen.',
  },
  detail: { more: 'Alle Regler', fewer: 'Weniger Regler' },

  scenes: {
    'two-by-two': {
      name: 'Zwei mal zwei',
      card: 'Vier Zahlen, zwei davon gesperrt. Sieh jedem Trainingsschritt zu.',
      lede: 'Vier Zahlen, jede mit einem Ziel. Zwei sind gesperrt. Drücke Starten und sieh, welche es erreichen.',
      hint: 'Klicke auf eine Zelle, um sie zu sperren oder freizugeben. Das geht auch während des Trainings.',
      guess: {
        question: 'Was tun die zwei gesperrten Zellen, während die anderen lernen?',
        answers: ['Sich ein wenig bewegen', 'Jedes Bit behalten', 'Sich nur am Anfang bewegen'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) => locked(facts),
      },
      lesson: [
        'Jede der vier Zellen ist eine Zahl, die ihr Ziel erreichen soll. Zwei Zellen haben ein Schloss und Streifen: Sie sind gesperrt.',
        'Trainiere 50 Schritte und sieh zu: Die freien Zellen bewegen sich zu ihren Zielen. Die gesperrten bewegen sich nicht.',
        'Die Zeile unter den Zellen zählt es: Keine der gesperrten Zellen hat sich um ein einziges Bit bewegt.',
        'Du kannst Sperren jederzeit ändern. Gib die Zelle oben rechts frei und trainiere weiter: Der Optimierer behandelt ihren nächsten Schritt als ihren ersten.',
        'Du kannst einen Wert auch von Hand setzen: Wähle eine Zelle und tippe. Eine gesperrte Zelle behält ihren Wert, und eine Meldung sagt es. Nun probiere eigene Ideen.',
      ],
    },
    picture: {
      name: 'Bild',
      card: 'Sperre deinen Namen im Rauschen, während um ihn ein Bild entsteht.',
      lede: 'Eine gesperrte Zelle behält ihren Wert genau, während alle anderen lernen. Drücke „Starten“. Schalte dann auf Maske, den üblichen Trick, und sieh, ob sie hält, was die Sperre hielt.',
      hint: 'Ziehe, um Zellen zu sperren. Beginne auf einer gesperrten Zelle, um Zellen freizugeben.',
      choices: {
        picture: { label: 'Bild', names: { evening: 'Abend', heart: 'Herz', ripples: 'Wellen' } },
      },
      guess: {
        question:
          'Drücke „Starten“, dann schalte auf Maske: Sie setzt den Gradienten der gehaltenen Zellen auf 0. Was tun diese Zellen?',
        answers: ['Bleiben: kein Gradient, kein Schritt', 'Zum Bild werden', 'Wegdriften'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Unter der Maske haben sich ${facts.moved} von ${facts.held} gehaltenen Zellen bewegt, um bis zu ${facts.farthest}. Der Optimierer macht auch Schritte, die keinen Gradienten brauchen.`
            : 'Mit diesem Optimierer hat die Maske bisher gehalten. Wähle AdamW und sieh noch einmal hin.',
      },
      lesson: [
        'Tausend Zellen beginnen als Rauschen. Einige sind gesperrt: Sie haben Streifen.',
        'Trainiere: Jede freie Zelle nimmt ihre Farbe im Bild an. Die gesperrten Zellen bleiben, wie sie sind.',
        'Zeichne mit dem Zeiger, oder halte die Umschalttaste und drücke Pfeiltasten. Was du jetzt sperrst, behält, was es bisher gelernt hat.',
        'Schalte auf Maske und wähle AdamW. Die Maske setzt den Gradienten der gehaltenen Zellen auf 0. Doch AdamW macht jede Zahl etwas kleiner, und so bewegen sie sich.',
        'Schalte zurück auf Sperre. Gehe mit dem Regler unter der Kurve zurück zu einem früheren Schritt, oder wechsle den Optimierer während des Trainings. Nun zeichne, was du magst.',
      ],
    },
    membrane: {
      name: 'Membran',
      card: 'Eine Seifenhaut spannt sich zwischen gesperrten Zellen. Sie repariert auch Fotos.',
      lede: 'Jede Zelle dieser Haut gleicht sich ihren Nachbarn an. Gesperrte Zellen sind der Rahmen, an dem die Haut befestigt ist.',
      hint: 'Sperre Zellen in der Mitte, und die Haut hängt auch an ihnen.',
      choices: {
        frame: {
          label: 'Rahmen',
          names: { saddle: 'Sattel', crown: 'Krone', tilt: 'Schräge', photo: 'Foto mit Löchern' },
        },
      },
      guess: {
        question:
          'Der Rand ist gesperrt, die Zellen innen beginnen als Rauschen. Was wird aus ihnen?',
        answers: [
          'Sie bleiben Rauschen',
          'Sie werden eine glatte Haut',
          'Alle bekommen dieselbe Farbe',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Die Rauheit (der Verlust) hat sich von ${facts.first} auf ${facts.loss} geändert: Die Haut ist glatt von Rand zu Rand. ${locked(facts)}`,
      },
      lesson: [
        'Jede Zelle gleicht sich ihren Nachbarn an. Der Rand ist gesperrt, wie der Drahtrahmen einer Seifenhaut.',
        'Trainiere: Das Rauschen wird glatt, und die Haut spannt sich von Rand zu Rand.',
        'Druck ist, was eine Sperre kostet: wie sehr der Verlust fiele, wenn die Zelle sich bewegen dürfte. Er ist neben der Haut gezeichnet.',
        'Dasselbe Verfahren ergänzt Bilder. In diesem fehlen sieben von zehn Zellen. Die übrigen sind gesperrt, und die Haut füllt die Löcher.',
        'Sperre Zellen mitten in der Haut, und sie hängt an ihnen. Nun spanne eine eigene Haut.',
      ],
    },
    'leak-lab': {
      name: 'Lecklabor',
      card: 'Eine Sperre und eine Maske halten dieselben Zellen. Welche hält?',
      lede: 'Dieselbe Aufgabe wird zweimal trainiert: einmal mit einer echten Sperre, einmal mit dem üblichen Trick, einer Maske, die den Gradienten mit 0 multipliziert. Nach 8 freien Schritten halten beide dieselben Zellen.',
      hint: 'Wechsle den Optimierer und sieh, wann die Maske leckt.',
      guess: {
        question:
          'Rechts wird der Gradient der gehaltenen Zellen mit 0 multipliziert. Wie viele von ihnen bewegen sich?',
        answers: ['Keine: kein Gradient, kein Schritt', 'Einige', 'Alle'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Unter der Maske haben sich ${facts.moved} von ${facts.held} gehaltenen Zellen bewegt, um bis zu ${facts.farthest}. Unter der echten Sperre hat sich keine bewegt.`
            : 'Mit diesem Optimierer hat die Maske gehalten. Wähle Adam oder AdamW und sieh noch einmal hin.',
      },
      lesson: [
        'Beide beginnen mit denselben Zahlen und trainieren 8 Schritte frei. Dann halten beide dieselben Zellen: links eine Sperre, rechts eine Maske, die ihren Gradienten mit 0 multipliziert.',
        'Trainiere mit Adam weiter. Die maskierten Zellen bewegen sich noch, denn Adams Momente, das sind Mittel früherer Gradienten, schieben sie weiter. Ein Schloss mit Sprung zeigt jede Zelle, die sich bewegt hat.',
        'Einfaches SGD hat keine solchen Mittel, also schiebt nichts die maskierten Zellen. Darum sieht der Trick zuerst richtig aus.',
        'Momentum summiert frühere Gradienten, also leckt die Maske wieder. Die Zellen haben keinen Gradienten mehr und bewegen sich trotzdem.',
        'AdamWs Gewichtsabnahme lässt jede Zelle schrumpfen, maskiert oder nicht. Darum kommen die maskierten Zellen nie zur Ruhe. Unter der Sperre hat sich keine auch nur um ein Bit (eine 0 oder 1 im Speicher) bewegt.',
      ],
    },
    network: {
      name: 'Gewichte',
      card: 'Ein kleines Netz, Gewicht für Gewicht: Sperre einige, beschneide viele.',
      lede: 'Ein kleines Netz lernt, zwei Arten von Punkten zu unterscheiden. Die Zellen sind seine Gewichte. Sperre einige, oder setze die kleinsten für immer auf 0, und trainiere weiter.',
      hint: 'Die Zeile eines Gewichts ist der Knoten, von dem es kommt, die Spalte der Knoten, zu dem es geht. Klicke auf eine Zelle oder Kante, um sie zu sperren.',
      ...layered,
      figures: {
        net: {
          layers: (layer, last) =>
            layer === 0 ? 'Eingang' : layer === last ? 'Ausgang' : `Schicht ${layer}`,
          label: (all, held) =>
            `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt (mit Querstrichen). Zeige auf eine Kante oder auf ihre Zelle, um die andere zu sehen.`,
        },
        plane,
      },
      guess: {
        question:
          'Trainiere 300 Schritte. Wie viele von 160 Punkten, mit denen es nie trainiert, ordnet das Netz richtig zu?',
        answers: ['Etwa die Hälfte', 'Zwei von drei', 'Mehr als neun von zehn'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Von den Punkten, mit denen es nie trainiert, sind ${facts.percent('testScore')} richtig, von den anderen ${facts.percent('score')}.`,
      },
      lesson: [
        'Scheiben und Quadrate sind zwei Arten von Punkten. Die Farben dahinter zeigen die Antworten des Netzes. Jedes Gewicht ist eine Zelle und eine Kante: Zeige auf die eine, um die andere zu sehen.',
        'Trainiere 300 Schritte: Die Farben passen immer besser zu den Punkten.',
        'Beschneide: In jeder Matrix wird die kleinere Hälfte der Gewichte 0 und gesperrt.',
        'Trainiere weiter. Die beschnittenen Gewichte bleiben genau 0, und die anderen gleichen das aus.',
        'Sperre eine ganze Spalte mit einem Rechteck (halte die Umschalttaste), oder wähle die Spirale und sieh, wie viele Gewichte sie braucht.',
      ],
    },
    lottery: {
      name: 'Lotterielos',
      card: 'Entferne den größten Teil eines Netzes. Lernt der Rest noch?',
      lede: 'Die meisten Gewichte sind bei 0 gesperrt. Die anderen beginnen neu mit ihren ersten Werten. Lernen sie so gut wie vorher alle, sind sie ein Gewinnlos.',
      hint: 'Trainiere, beschneide und spule zurück, trainiere dann wieder. Nur Gewichte, die bleiben, sind als Kanten gezeichnet.',
      ...layered,
      figures: {
        lottery: {
          kept: 'Gewichte, die bleiben',
          keptOf: (kept, count, all) => `${kept} %: ${count} von ${all}`,
          prune: 'Beschneiden und zurückspulen',
          start: 'Kurve zeichnen',
          again: 'Neu zeichnen',
          stop: 'Anhalten',
          progress: 'Wie viel der Kurve gezeichnet ist',
          plot: 'Läufe der Studie: Trefferquote nach den Gewichten, die bleiben',
          across: 'Gewichte, die bleiben',
          up: 'ungesehene Punkte richtig',
          ticket: 'Los',
          random: 'Zufällig',
          ticketKey: 'Los',
          randomKey: 'zufällige Gewichte (Linie: Mittel von dreien)',
          liveKey: 'dieser Lauf',
          point: (kind, kept, count, all, score) =>
            `${kind}, ${kept} % bleiben (${count} von ${all}): ${score} der ungesehenen Punkte richtig.`,
          opens: 'Eingabetaste oder Klick öffnet ihn.',
          hint: 'Jede Marke ist ein Lauf. Zeige darauf, um ihn zu lesen, klicke, um ihn zu öffnen.',
          before:
            'Die Kurve braucht 41 Läufe zu 1.500 Schritten. Sie werden im Hintergrund trainiert.',
          running: (at, count) => `Lauf ${at} von ${count} wird im Hintergrund trainiert.`,
          part: (done, count) => `${done} von ${count} Läufen sind gezeichnet.`,
          done: (count) => `Alle ${count} Läufe sind gezeichnet. Jeder hat 1.500 Schritte.`,
          known: (count) =>
            `Die ${count} Läufe wurden vorher trainiert, je 1.500 Schritte. Zeichne die Kurve noch einmal: Es kommen dieselben Bits heraus.`,
          stale: 'Diese Läufe hatten einen anderen Optimierer. Zeichne die Kurve neu.',
        },
        net: {
          layers: (layer, last) =>
            layer === 0 ? 'Eingang' : layer === last ? 'Ausgang' : `Schicht ${layer}`,
          label: (all, held) =>
            `Das Netz hat ${all} Kanten, und ${held} davon sind gesperrt. Kanten, die bei 0 gesperrt sind, siehst du erst, wenn du auf sie zeigst.`,
        },
        plane,
      },
      guess: {
        question:
          'Vier von fünf Gewichten werden entfernt. Die anderen bekommen ihre ersten Werte zurück und lernen noch einmal. Wie gut werden sie?',
        answers: [
          'Viel schlechter als alle Gewichte',
          'Kaum schlechter',
          'Nicht besser als ein Münzwurf',
        ],
        told: () =>
          'Alle Gewichte zusammen ordnen 99 % der ungesehenen Punkte richtig zu. Das beste Fünftel (21 %) allein erreicht auch 99 %, ein zufälliges Fünftel 56 % (Mittel von dreien).',
      },
      lesson: [
        'Dies ist das Netz der Szene Gewichte, nur größer: 267 Gewichte lernen eine Spirale. Jedes beginnt mit einem zufälligen Wert.',
        'Trainiere 1.500 Schritte: Es lernt die Spirale, auch dort, wo es keine Punkte sah.',
        'Beschneide und spule zurück: Die kleineren zwei Drittel jeder Matrix werden 0 und gesperrt. Die anderen bekommen ihre ersten Werte zurück.',
        'Trainiere wieder. Ein Drittel der Gewichte beginnt mit denselben ersten Werten. Ist es ein Gewinnlos? Das Kreuz im Bild zeigt die Antwort.',
        'Zeichne die Kurve: Sie nimmt jedes Mal ein Fünftel weg. Zu jedem Los trainiert sie auch ebenso viele zufällige Gewichte. Öffne eine Marke, um ihren Lauf zu sehen.',
      ],
    },
    digits: {
      name: 'Ziffern',
      card: 'Zeichne eine Ziffer. Zehn Bilder aus Gewichten lesen sie.',
      lede: 'Zeichne eine Ziffer: Sie gilt als die, zu deren Bild sie am besten passt. Blau spricht für eine Ziffer, Orange gegen sie. Sperre ein Bild, und die neun anderen lernen ohne es.',
      hint: 'Klicke auf die Zahl über einem Bild, um es ganz zu sperren. Die anderen lernen darum herum: Wie gut wird seine Ziffer dann gelesen?',
      grids: Object.fromEntries(
        Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`]),
      ),
      figures: {
        pad,
        features: {
          label: (digit, score) =>
            `${digit === null ? 'Die Fläche ist leer.' : `Sie wird als ${digit} gelesen.`} ${score} von 300 ungesehenen Ziffern werden richtig gelesen.`,
        },
      },
      guess: {
        question:
          'Trainiere 50 Schritte. Wie viele von 300 Ziffern, mit denen es nie trainiert, werden richtig gelesen?',
        answers: ['Etwa 30, durch Glück', 'Etwa die Hälfte', 'Mehr als 250'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Von 300 ungesehenen Ziffern werden ${facts.percent('score')} richtig gelesen.`,
      },
      lesson: [
        'Zeichne eine Ziffer, oder nimm eine von anderen. Die Balken zeigen, zu welchem der zehn Bilder sie passt. Zuerst passt sie zu allen gleich.',
        'Trainiere 50 Schritte: Jedes Bild zeigt dann, was für seine Ziffer spricht und was gegen sie.',
        'Beschneide: Die kleinsten Gewichte werden 0 und gesperrt. Die Ecken gehen zuerst, denn dort sind kaum Striche.',
        'Trainiere weiter: Die beschnittenen Gewichte bleiben 0, und die Trefferzahl sinkt kaum.',
        'Sperre ein ganzes Bild, bevor du neu beginnst: Diese Ziffer muss mit dem auskommen, was sie hat.',
      ],
    },
    kernels: {
      name: 'Filter',
      card: 'Zeichne eine Ziffer und sieh, was acht kleine Filter darin finden.',
      lede: 'Zeichne eine Ziffer und sieh, was jedes von acht kleinen Bildern, den Filtern, darin findet. Die ersten zwei sind bekannt und gesperrt; die anderen sechs lernen darum herum.',
      hint: 'Tippe einen Filter ein und sperre ihn: Die anderen lernen um ihn herum.',
      choices: {
        kernels: {
          label: 'Filter',
          names: {
            sobel: 'Zwei von Sobel, gesperrt',
            random: 'Zufällig, frei',
            locked: 'Zufällig, alle gesperrt',
          },
        },
      },
      grids: {
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, i) => [`kernel${i + 1}`, `Filter ${i + 1}`]),
        ),
        ...{ biases: 'Bias der Filter', head: 'Kopf: von Karten zu zehn Ziffern' },
        offsets: 'Bias',
      },
      figures: {
        pad,
        features: {
          /** @param {number | null} digit @param {string | null} score */
          label: (digit, score) =>
            `${digit === null ? 'Die Fläche ist leer.' : `Das Netz liest eine ${digit}.`} ${score} von 300 ungesehenen Ziffern werden richtig gelesen.`,
        },
      },
      guess: {
        question:
          'Zwei von acht Filtern sind gesperrt, und jeder Filter ist winzig. Wie viele von 300 ungesehenen Ziffern werden nach 200 Schritten richtig gelesen?',
        answers: ['Etwa 30, durch Glück', 'Etwa die Hälfte', 'Mehr als 250'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Von 300 ungesehenen Ziffern werden ${facts.percent('score')} richtig gelesen. ${locked(facts)}`,
      },
      lesson: [
        'Unter jedem der acht Filter ist seine Karte. Sie ist blau, wo die Ziffer auf der Fläche enthält, was der Filter sucht. Die ersten zwei sind von Sobel, für senkrechte und waagrechte Kanten; sie sind gesperrt.',
        'Trainiere 200 Schritte: Sechs Filter lernen, was hilft. Die zwei gesperrten behalten jedes Bit (jede 0 und 1 im Speicher).',
        'Zeichne selbst eine Ziffer auf die Fläche und sieh, welche Karten aufleuchten.',
        'Nun sind alle acht Filter zufällig und gesperrt. Trainiere: Nur der Kopf lernt, aus dem, was diese Filter finden.',
        'Gib einen Filter frei und trainiere weiter. Wie sehr verbessert ein Filter, der lernt, das Ergebnis?',
      ],
    },
    freeze: {
      name: 'Basis einfrieren',
      card: 'Ein Netz, das fünf Ziffern kennt, lernt fünf weitere.',
      lede: 'Ein kleines Faltungsnetz kennt die Ziffern 0 bis 4. Seine Basis und diese fünf Antworten sind gesperrt. Die anderen fünf lernen 5 bis 9 aus je zwanzig Beispielen.',
      hint: 'Gib alles frei und beginne von vorn: Beim Lernen der neuen Ziffern gehen die alten verloren.',
      guess: {
        question:
          'Das Netz lernt neue Ziffern auf einer gesperrten Basis. Was geschieht mit den alten?',
        answers: [
          'Sie werden vergessen',
          'Ihre Antworten bleiben genau gleich',
          'Sie werden auch besser',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `${locked(facts)}${facts.moved ? '' : ' Darum sind die fünf alten Antworten auf jedes Bild dieselben Zahlen wie vorher.'}`,
      },
      choices: {
        examples: {
          label: 'Beispiele',
          names: { new: 'Nur neue Ziffern', both: 'Neue und einige alte' },
        },
      },
      grids: {
        ...{ head: 'Kopf: je Ziffer eine Spalte', bias: 'Kopf: Bias' },
        ...{ conv1: 'Basis: erste Filter', bias1: 'Basis: erster Bias' },
        ...{ conv2: 'Basis: zweite Filter', bias2: 'Basis: zweiter Bias' },
      },
      names: { bias: 'Bias' },
      figures: {
        accuracy: {
          padlock: 'Basis und Antworten 0 bis 4',
          old: 'Alte Ziffern, 0 bis 4: richtig gelesen',
          ...{ lock: 'Sperre', mask: 'Maske', free: 'ohne' },
          headline: (lock, free) =>
            Number.isNaN(lock + free)
              ? 'Vergessene alte Ziffern: noch nicht gemessen.'
              : `Vergessene alte Ziffern: ${lock} von 100 mit der Sperre, ${free} von 100 ohne.`,
          /**
           * @param {{ old: string, fresh: string }} own
           * @param {{ key: string, old: string, fresh: string }[]} lines
           * @param {{ all: number, changed: number } | null} answers
           */
          label: (own, lines, answers) => {
            /** @type {Record<string, string>} */
            const names = { lock: 'mit der Sperre', mask: 'mit einer Maske', free: 'ohne Sperre' };
            const told = lines.map(({ key, old, fresh }) => `${names[key]} ${old} und ${fresh}`);
            const kept = answers
              ? answers.changed
                ? ` ${answers.changed} von ${answers.all} alten Antworten haben sich geändert.`
                : ` Alle ${answers.all} alten Antworten, die die Seite prüft, behalten jedes Bit.`
              : '';
            return `Von den ungesehenen alten und neuen Ziffern werden ${own.old} und ${own.fresh} richtig gelesen${told.length ? `; ${told.join(', ')}` : ''}.${kept}`;
          },
        },
        pad,
        features: {
          /** @param {number | null} digit */
          label: (digit) =>
            digit === null ? 'Die Fläche ist leer.' : `Das Netz liest eine ${digit}.`,
        },
      },
      lesson: [
        'Dieses Netz hat die Ziffern 0 bis 4 in Keras gelernt. Seine Basis und die Spalten 0 bis 4 seines Kopfes sind gesperrt.',
        'Trainiere 200 Schritte: Die Spalten 5 bis 9 lernen. Sonst ändert sich nichts.',
        'Daneben hält eine Maske dieselben Gewichte unter AdamW. Die Gewichtsabnahme bewegt trotzdem jedes alte Gewicht.',
        'Gib alles frei und beginne von vorn: Das Netz lernt die neuen Ziffern gut und vergisst die alten.',
        'Mit einigen alten Ziffern unter den Beispielen vergisst das Netz weniger. Vergleiche das mit der Sperre.',
      ],
    },
    words: {
      name: 'Neue Wörter',
      card: 'Ein Modell lernt neue Wörter. Kennt es die alten noch?',
      lede: 'In dieser Tabelle werden neun bekannte Wörter gehalten, und fünf neue lernen, was sie bedeuten. Links hält eine Sperre die bekannten Wörter, rechts eine Maske.',
      hint: 'Jede Zeile ist ein Wort. Gib ein bekanntes Wort frei, und es lernt mit.',
      guess: {
        question: 'Eine Maske gibt den alten Wörtern keinen Gradienten. Bleiben sie, wo sie sind?',
        answers: ['Ja, nichts zieht an ihnen', 'Nein, sie bewegen sich'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Unter der Maske haben sich ${facts.moved} von ${facts.held} alten Zahlen bewegt, um bis zu ${facts.farthest}. Unter der echten Sperre hat sich keine bewegt.`
            : 'Mit diesem Optimierer sind sie geblieben. Versuche AdamW.',
      },
      names: {
        ...{ mouse: 'Maus', cat: 'Katze', dog: 'Hund', horse: 'Pferd', elephant: 'Elefant' },
        ...{ spoon: 'Löffel', chair: 'Stuhl', car: 'Auto', house: 'Haus', kitten: 'Kätzchen' },
        ...{ whale: 'Wal', needle: 'Nadel', lorry: 'Lastwagen', 'toy dog': 'Spielhund' },
      },
      figures: {
        words: {
          label: (score) =>
            `${score} der alten Wörter sind, wo sie hingehören (Kreise). Neue Wörter sind schräg gedruckt.`,
          ...{ small: 'klein', large: 'groß', animal: 'Tier', thing: 'Ding' },
        },
      },
      lesson: [
        'Jede Zeile ist ein Wort, gespeichert als acht Zahlen. Eine feste Matrix macht aus einer Zeile einen Punkt, von Tier zu Ding und von klein zu groß. Kreise zeigen, wo Wörter hingehören.',
        'Trainiere: Die fünf neuen Wörter finden ihren Platz aus Sätzen, in denen sie vorkommen.',
        'Unter der Sperre behalten die neun alten Wörter jedes Bit (jede 0 und 1 im Speicher). Unter der Maske zieht AdamWs Gewichtsabnahme sie zur Mitte: Das Modell vergisst sie, obwohl das niemand wollte.',
        'Einfaches Adam hat keine Gewichtsabnahme: Wechsle zu ihm, und das Vergessen hört auf. Was vergessen ist, bleibt vergessen.',
        'Gib eine Zeile frei, und sie lernt wieder. Welche Wörter sollte ein Modell ändern dürfen?',
      ],
    },
    graph: {
      name: 'Graph',
      card: 'Hefte Knoten eines Graphen an, und die anderen finden ihren Platz.',
      lede: 'Das Training bringt je zwei Knoten so weit auseinander, wie der Graph es sagt. Einige sind angeheftet. Ziehe einen anderen: Solange du ihn hältst, zieht ihn das Training nicht weg.',
      hint: 'Klicke auf einen Knoten, um ihn anzuheften, ziehe ihn, um ihn zu bewegen. Jede Zeile ist ein Knoten: Sperre nur x oder nur y, und der Knoten gleitet auf einer Linie.',
      choices: {
        graph: {
          label: 'Graph',
          names: { mesh: 'Netz', tree: 'Baum', club: 'Karateverein' },
        },
      },
      guess: {
        question: 'Alle Knoten ziehen aneinander. Werden sich die angehefteten bewegen?',
        answers: [
          'Ein wenig, weil die anderen ziehen',
          'Nein, gar nicht',
          'Nur bis zum Gleichgewicht',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) => `Die anderen haben ihren Platz gefunden. ${locked(facts)}`,
      },
      grids: { x: 'Orte' },
      figures: {
        graph: {
          group: 'Knoten des Graphen',
          /** @param {string} name @param {boolean} isHeld */
          node: (name, isHeld) => `Knoten ${name} anheften${isHeld ? ', in der Hand' : ''}`,
          /** @param {string} name @param {number[]} at */
          moved: (name, at) => {
            const [x, y] = at.map((value) => value.toFixed(2).replace('.', ',').replace('-', '−'));
            return `Knoten ${name}, in der Hand: x ${x}, y ${y}`;
          },
          /** @param {string} name */
          freed: (name) => `Knoten ${name}: losgelassen`,
          /** @param {number} all @param {number} pinned */
          label: (all, pinned) =>
            `Der Graph hat ${all} Knoten, und ${pinned} davon sind angeheftet. Dünne blaue Kanten sind zu lang, dicke orange zu kurz. Klick oder Leertaste heftet einen Knoten an. Ziehe ihn, oder bewege ihn mit Pfeiltasten und lass ihn mit der Eingabetaste los. Bild auf und Bild ab wählen einen anderen Knoten.`,
        },
      },
      lesson: [
        'Die Knoten beginnen an zufälligen Orten. Die Kanten dazwischen wirken wie Gummibänder. Die Ecken haben ein Schloss: Ihre Zeilen sind gesperrt.',
        'Trainiere: Der Abstand von je zwei Knoten nähert sich der Zahl der Kanten auf dem Weg zwischen ihnen. Der Verlust, Stress genannt, misst, wie viel daran fehlt.',
        'Ziehe während des Trainings einen Knoten. Das Ziehen hat eine eigene Sperre, die den Knoten nur hält, solange du ziehst. Lass los, und er schnellt zurück.',
        'Anheften ist deine eigene Sperre und bleibt nach dem Ziehen. Dieser Schritt heftet Knoten 6 an. Nun ziehe ihn: Er bleibt, wo du ihn hinlegst.',
        'Dieser Graph zeigt Menschen: die Mitglieder eines Karatevereins, der zerbrach. Seine beiden Anführer sind angeheftet, links und rechts. Wer steht bei wem? Nun ziehe an ihnen.',
      ],
    },
    peaks: {
      name: 'Spektrum',
      card: 'Passe vier Glocken an ein Spektrum an, deren Breiten bekannt sind.',
      lede: 'Ein Spektrum ist eine Summe von vier Glockenkurven. Ihre Breiten sind vom Messgerät bekannt und gesperrt. Das Training sucht ihre Höhen und Orte.',
      hint: 'Jede Zeile ist eine Glockenkurve. Ihre Breite ist in Zehnteln der Einheit der Achse.',
      sizeLabel: 'Glocken und Zahlen je Glocke',
      ownLede:
        'Deine Messwerte als Summe von Glockenkurven. Sperre, was du weißt, gib im Bericht Grenzen an, und setze die Zellen auf die beste Anpassung.',
      choices: {
        noise: { label: 'Daten', names: { noisy: 'Mit Rauschen', clean: 'Ohne Rauschen' } },
      },
      names: { height: 'Höhe', place: 'Ort', width: 'Breite' },
      figures: {
        curves: {
          label: (chi, freedom, hasBand) =>
            `Punkte: Messwerte. Linie: Summe. Gestrichelt: ihre Teile.${hasBand ? ' Schattiert: 95-%-Band.' : ''} Abweichung: reduziertes χ² = ${chi.replace('.', ',')} bei ${freedom} Freiheitsgraden; Rauschen allein ergibt 1.`,
          exact: (off, hasBand) =>
            `Punkte: Werte ohne Rauschen. Linie: Summe. Gestrichelt: ihre Teile.${hasBand ? ' Schattiert: 95-%-Band.' : ''} Abweichung: ${off.replace('.', ',')} im quadratischen Mittel.`,
          plain: (off, hasBand) =>
            `Punkte: deine Messwerte. Linie: Summe. Gestrichelt: ihre Teile.${hasBand ? ' Schattiert: 95-%-Band.' : ''} Abweichung: ${off.replace('.', ',')} im quadratischen Mittel.`,
          across: 'Ort',
          up: 'Höhe',
        },
      },
      guess: {
        question: 'Nur Höhen und Orte dürfen sich ändern. Erreicht die Linie die Punkte?',
        answers: [
          'Nein, die Breiten müssten sich ändern',
          'Ja, aber die gesperrten Breiten bewegen sich etwas',
          'Ja, und die Breiten behalten jedes Bit',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Der Verlust hat sich von ${facts.first} auf ${facts.loss} geändert: Die Linie trifft die Punkte. ${locked(facts)}`,
      },
      lesson: [
        'Punkte sind gemessene Werte. Jede Zeile ist eine Glockenkurve: ihre Höhe, ihr Ort, ihre Breite. Die Breiten sind gesperrt.',
        'Trainiere 150 Schritte: Höhen und Orte ändern sich, bis die Linie die Punkte trifft.',
        'Die Breiten haben jedes Bit (jede 0 und 1 im Speicher) behalten: Was bekannt ist, bleibt bekannt.',
        'Druck zeigt, was jede Sperre kostet: wie sehr der Verlust fiele, wenn die Breite sich ändern dürfte.',
        'Gib eine Breite frei und trainiere weiter. Oder setze eine Breite von Hand falsch und sieh, welche Kurven schlechter werden.',
      ],
    },
    own: {
      name: 'Eigenes',
      card: 'Bring eine Tabelle oder ein Bild mit. Was du weißt, ist gesperrt, der Rest wird ergänzt.',
      lede: 'Bring eine eigene Tabelle oder ein Bild mit. Die Zellen, die du kennst, sind gesperrt, und das Training ergänzt daraus die anderen.',
      hint: 'Klicke eine Zelle an, um sie zu sperren oder freizugeben. Du kannst überall eine Datei ablegen. Nichts verlässt dieses Gerät.',
      choices: {
        target: {
          label: 'Was sollen die freien Zellen tun?',
          names: {
            gaps: 'Lücken füllen',
            data: 'Daten lernen',
            mirror: 'Spiegeln',
            negative: 'Umkehren',
            zero: 'Zu 0 werden',
          },
        },
        loss: {
          label: 'Verlust',
          names: {
            squared: 'Quadratischer Fehler',
            absolute: 'Absoluter Fehler',
            logCosh: 'Log-cosh',
            smooth: 'Rauheit (ohne Ziel)',
          },
        },
      },
      guess: {
        question:
          'Die Hälfte der Zellen ist bekannt und gesperrt. Die anderen gleichen sich ihren Nachbarn an. Was tun die bekannten?',
        answers: ['Sich etwas bewegen', 'Jedes Bit behalten', 'Auch verschwimmen'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Die Lücken sind gefüllt: Die Rauheit (der Verlust) hat sich von ${facts.first} auf ${facts.loss} geändert. ${locked(facts)}`,
      },
      lesson: [
        'Dies ist ein Beispiel: der Wasserstand an einem Steg. Jede Zeile ist ein Tag, jede Spalte eine Stunde. Wähle eine Datei oder füge eine Tabelle ein, dann stehen hier deine Daten.',
        'Trainiere: Jede freie Zelle gleicht sich ihren Nachbarn an, so füllen sich die Lücken. Die bekannten Zellen sind gesperrt und behalten jedes Bit.',
        'Du kannst etwas anderes verlangen. Nun beginnen alle Zellen bei den Daten und werden zu ihrem Spiegelbild.',
        'Klicke Zellen an, um sie zu sperren, und trainiere wieder: Sie ändern sich nicht.',
        'Teile einen Link: Er enthält deine Zahlen und Sperren und wiederholt jeden Schritt aufs Bit genau (jede 0 und 1 im Speicher).',
      ],
    },
  },

  run: {
    label: 'Lauf',
    play: 'Starten',
    pause: 'Anhalten',
    step: 'Schritt',
    steps: '10 Schritte',
    reset: 'Von vorn',
    resetHint:
      'Beginnt wieder bei Schritt 0. Sperren bleiben, und Rückgängig stellt den Lauf wieder her.',
    stepCount: 'Schritt',
    goesOn: '„Starten“ macht hier weiter',
    rewind: 'Gezeigter Schritt',
    rewound: (step) => `Schritt ${step}`,
  },

  status: {
    ready: 'Bereit',
    running: 'Trainiert',
    paused: 'Angehalten',
    settled: 'Zur Ruhe gekommen',
    allLocked: 'Alles gesperrt',
    diverged: 'Divergiert',
    looking: 'Rückblick',
    replaying: 'Wiederholung',
  },

  /** Shown while a long run is replayed. */
  replay: {
    cancel: 'Abbrechen',
    /** @param {string} step @param {string} to @param {string} left */
    text: (step, to, left) => `Der Lauf wird nachgerechnet: Schritt ${step} von ${to}${left}`,
    /** @param {number} seconds NaN if unknown */
    left: (seconds) => {
      if (Number.isNaN(seconds)) return '';
      if (seconds < 90) return `, noch etwa ${Math.max(1, Math.round(seconds))} s`;
      return `, noch etwa ${Math.round(seconds / 60)} min`;
    },
  },

  settings: {
    label: 'Einstellungen',
    rule: 'Optimierer',
    rules: {
      sgd: 'SGD',
      momentum: 'Momentum',
      nesterov: 'Nesterov',
      adam: 'Adam',
      adamW: 'AdamW',
    },
    learningRate: 'Lernrate',
    learningRateSlider: 'Lernrate, in Stufen von 1, 2, 5',
    momentum: 'Momentum',
    weightDecay: 'Gewichtsabnahme',
    speed: 'Tempo',
    speeds: (speed) => (speed ? `${speed} Schritte/s` : 'Maximal'),
    size: 'Gitter',
    sizes: (rows, cols) => `${rows} × ${cols}`,
    seed: 'Startzahl',
    beside: 'Auch zeigen',
    rivalRule: 'Anderer Optimierer',
    rivalRate: 'Seine Lernrate',
    theme: 'Dunkel oder hell',
    toDark: 'Dunkel',
    toLight: 'Hell',
  },

  beside: {
    values: 'Werte',
    trueLock: 'Echte Sperre',
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
    mask: 'Gradientenmaske',
    scale: (reach) => `Farben von −${reach} bis ${reach}`,
  },

  proof: {
    drift: 'Drift',
    held: 'Prüfung: Jede gehaltene Zelle hat ihre Bits behalten',
    leaked: (count) =>
      `Prüfung: ${count} gehaltene ${count === 1 ? 'Zelle ist' : 'Zellen sind'} verändert`,
  },

  prune: {
    label: 'Die kleinsten beschneiden',
    act: 'Beschneiden',
    share: (percent) => `${percent} %`,
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
      `Jedes Quadrat ist eine Zahl, seine Farbe zeigt den Wert. Quadrate mit Streifen sind gesperrt: ${locked}. Der Verlust ist ${loss}.`,
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
    which: 'Was die Kurve zeigt',
    /** @param {string} drift @param {string} step */
    chart: (drift, step) =>
      `Drift gehaltener Zellen nach ${step} Schritten: 0 unter der echten Sperre, ${drift} unter der Maske.`,
    mask: 'Gradientenmaske',
    why: 'Der lecke Lauf hat den kleineren Verlust, denn er bewegt auch Zellen, die er halten sollte. Ein kleinerer Verlust beweist also nicht, dass eine Sperre hält.',
  },

  /** The question before the first step. */
  guess: {
    title: 'Erst raten',
    pass: 'Zeig es mir einfach',
    close: 'Schließen',
    opening: 'Im Lauf, wie ihn die Szene öffnet:',
    /** @param {string} answer */
    made: (answer) => `Deine Vermutung: „${answer}“.`,
  },

  code: {
    label: 'Code dieses Laufs',
    copy: 'Code kopieren',
    page: 'Als lauffähige Seite speichern',
    /** @param {number} thousands Thousands of characters. */
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
    sample: 'Beispiel: der Wasserstand an einem Steg, nach Tag und Stunde.',
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
    erased: 'Zur Probe sind einige Zellen gelöscht, der Rest ist gesperrt.',
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
      json: ({ line }) => `Das beginnt wie JSON, ist aber kein gültiges JSON: siehe Zeile ${line}.`,
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
    parameter: 'Parameter',
    found: 'Wert',
    min: 'Min',
    max: 'Max',
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
    chi: (chi, freedom) =>
      `Reduziertes χ² = ${chi.replace('.', ',')} bei ${freedom} Freiheitsgraden.`,
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
    start: 'Rundgang beginnen',
    count: (at, all) => `${at} von ${all}`,
    back: 'Zurück',
    next: 'Weiter',
    done: 'Fertig',
    skip: 'Rundgang beenden',
    act: 'Ausführen',
  },

  loss: {
    label: 'Verlust',
    log: 'Logarithmisch',
    chart: (first, now, steps) =>
      `Verlust je Schritt: von ${first} auf ${now} in ${steps} Schritten`,
    empty: 'Hier wird der Verlust gezeichnet, Schritt für Schritt.',
    marker: 'Sperren geändert',
    own: 'dieser Lauf',
    rival: 'anderer Lauf',
    test: 'auf ungesehenen Punkten',
    lost: 'keine Zahl',
  },

  locks: {
    label: 'Sperren',
    all: 'Alle sperren',
    none: 'Alle freigeben',
    whole: (name) => `${name}: alle sperren`,
    matrix: 'Die ganze Matrix sperren oder freigeben',
    draw: 'Zeichnen',
    drawHint: 'Dein Finger zeichnet Sperren, statt zu scrollen',
    invert: 'Umkehren',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    brush: 'Pinsel',
    brushes: (side) => (side === 1 ? '1 Zelle' : `${side} × ${side}`),
    count: (locked, all) => `${locked} von ${all} Zellen gesperrt`,
    /** @param {string} held @param {string} all */
    masked: (held, all) => `${held} von ${all} Zellen von einer Maske gehalten`,
    moved: (moved, count) =>
      count === 0
        ? 'keine hat sich um ein einziges Bit bewegt'
        : `${moved} haben sich bewegt: bitte melde das`,
    leaked: (leaked) =>
      `unter der echten Sperre hat sich keine um ein einziges Bit bewegt, unter der Maske haben sich ${leaked} bewegt`,
  },

  legend: {
    label: 'Legende',
    value: 'Wert',
    locked: 'gesperrt, behält jedes Bit',
    free: 'frei, lernt',
    drifted: 'von einer Maske gehalten, aber bewegt',
    next: 'Schritt, den der Optimierer trotz Maske noch macht',
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
    around: 'Ihre Nachbarn',
    path: 'Ihr letzter Weg',
    slots: {
      m: 'erstes Moment m',
      v: 'zweites Moment v',
      momentum: 'Geschwindigkeit',
      velocity: 'Geschwindigkeit',
    },
  },

  licences: 'Lizenzen',
  reference: 'Referenz (englisch): Anleitung, JavaScript und C',

  keys: {
    label: 'Tasten',
    list: [
      [
        'Pfeile',
        'gehen, auch zur nächsten Matrix und zu Namen, die eine ganze Zeile oder Spalte sperren',
      ],
      ['Leertaste, Eingabe', 'sperren oder freigeben'],
      ['Umschalt + Pfeile', 'Rechteck aufziehen'],
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
    locked: (row, col) =>
      `Zeile ${row}, Spalte ${col} ist gesperrt und behält ihren Wert. Gib sie zuerst frei (Leertaste), dann setze den Wert.`,
    notANumber: (given, kept) => `„${given}“ ist keine Zahl, also behält die Zelle ${kept}.`,
    grouped: (given, kept) =>
      `„${given}“ kann eine Zahl oder das Tausendfache heißen, also behält die Zelle ${kept}. Schreibe sie ohne Komma.`,
    beyond: (given, kept) =>
      `„${given}“ ist zu groß für eine 32-Bit-Zahl, also behält die Zelle ${kept}. Schreibe eine Zahl bis 3.4e38.`,
    options: {
      learningRate: (given, kept) =>
        `„${given}“ ist keine Lernrate, also bleibt ${kept}. Schreibe eine Zahl ab 0, etwa 0.01.`,
      momentum: (given, kept) =>
        `„${given}“ ist kein Momentum, also bleibt ${kept}. Schreibe eine Zahl ab 0 und unter 1.`,
      weightDecay: (given, kept) =>
        `„${given}“ ist keine Gewichtsabnahme, also bleibt ${kept}. Schreibe eine Zahl ab 0, etwa 0.004.`,
    },
    outside:
      'Dieser Wert liegt außerhalb der Grenzen, also behält die Zelle ihren. Ändere zuerst die Grenzen.',
    bound:
      'Die Zelle ist auf einem Wert außerhalb dieser Grenzen gesperrt. Nichts hat sich geändert.',
    range: (name) =>
      `Das sind keine Grenzen für ${name}: Gib Zahlen ein, das Minimum höchstens so groß wie das Maximum. Nichts hat sich geändert.`,
    noScene:
      'Dieser Link oder diese Datei nennt keine Szene dieser Seite. Vielleicht ist etwas beschädigt oder stammt von einer neueren Version der Seite. Stattdessen ist eine andere Szene offen.',
    link: (field) =>
      `Ein Teil dieses Links oder dieser Datei ließ sich nicht lesen (${field}). Der Rest ist geladen.`,
    edits: (left) =>
      `${left === 1 ? 'Eine Änderung' : `${left} Änderungen`} dieses Laufs ${left === 1 ? 'ließ' : 'ließen'} sich nicht lesen. Der Lauf wird ohne sie nachgerechnet, seine Zahlen können also anders sein.`,
    file: 'Diese Datei enthält keinen Lauf. Nichts hat sich geändert.',
    refused: (field) => `Das wurde abgelehnt (${field}). Nichts hat sich geändert.`,
    diverged:
      'Die Zahlen sind ohne Grenze gewachsen: Die Lernrate ist zu groß für diesen Optimierer. Graue Zellen sind keine Zahlen mehr; gesperrte Zellen behalten ihre Werte. Beginne von vorn mit einer kleineren Lernrate.',
    tooLarge:
      'Der gesetzte Wert ist so groß, dass der Verlust in keine 32-Bit-Zahl passt. Mach das rückgängig oder setze einen kleineren Wert.',
    drawing: 'Ein Teil dieser Seite ließ sich nicht zeichnen. Der Lauf geht weiter.',
    figure: 'Diese Abbildung ließ sich nicht zeichnen. Der Lauf geht weiter.',
    offline:
      'Ein Teil dieser Seite ist noch nicht geladen, und der Server ist nicht erreichbar. Nichts hat sich geändert. Prüfe die Verbindung und versuche es noch einmal. Hilft das nicht, lade die Seite neu.',
    failed: 'Die Bibliothek hat das abgelehnt. Nichts hat sich geändert.',
    study: 'Die Studie im Hintergrund ist abgebrochen. Der Lauf auf dem Bildschirm geht weiter.',
    sandboxed:
      'Die Demo konnte ihren Worker nicht starten, denn sie ist in einem Rahmen mit Sandbox. Ergänze die Sandbox des Rahmens um allow-same-origin.',
    broken:
      'Die Demo konnte nicht starten. Sie braucht einen Browser ab 2023 mit WebAssembly SIMD.',
  },

  spoken: {
    summary: (status, step, loss, locks) =>
      `${status}. Schritt ${step}, Verlust ${loss}, ${locks}.`,
  },

  ...classDe,
};
