/** The page's words in German; en.js says what each is for. */

/** Of the pad to draw on, which several scenes have. */
const pad = {
  /** @param {boolean} isDown */
  label: (isDown) =>
    `Fläche, um eine Ziffer zu zeichnen. Pfeile bewegen den Stift, Leertaste ${isDown ? 'hebt ihn' : 'setzt ihn auf'}, Entf leert.`,
  samples: 'Ziffern von anderen',
  /** @param {number} digit */
  sample: (digit) => `Eine ${digit} von jemand anderem`,
  clear: 'Leeren',
};

/** Of the points of a plane that a network tells apart. */
const plane = {
  /** @param {string} score @param {string} test @param {string} loss */
  label: (score, test, loss) =>
    `${score} der Punkte liegen richtig, und ${test} von 160 anderen, an denen es nie trainiert (Verlust ${loss}).`,
};

/** Of a network whose layers are grids, and of the points that it tells apart. */
const layered = {
  sizeLabel: 'Verborgene Schichten',
  choices: {
    data: {
      label: 'Daten',
      names: { circle: 'Kreis', xor: 'Entweder-oder', spiral: 'Spirale' },
    },
  },
  grids: { w1: 'Eingang zu Schicht 1', w2: 'Schicht 1 zu 2', w3: 'Ausgang' },
  whole: 'Die Schicht sperren oder befreien, samt Bias',
  names: { bias: 'Bias' },
};

/** @type {typeof import('./en.js').en} */
export const de = {
  languageName: 'Deutsch',
  title: 'gradlock',
  tagline: 'Sperre jede Zelle. Trainiere den Rest. Exakt.',
  scenesLabel: 'Szenen',
  /** Simple or full. */
  detail: { more: 'Alle Regler', fewer: 'Weniger Regler' },

  scenes: {
    'two-by-two': {
      name: 'Zwei mal zwei',
      lede: 'Vier Zahlen, jede mit einem Ziel. Zwei sind gesperrt. Starte: Die freien lernen, die gesperrten behalten jedes Bit.',
      hint: 'Klicke auf eine Zelle, um sie zu sperren oder zu befreien, auch während es läuft.',
      guess: {
        question: 'Was tun die zwei gesperrten Zellen, während die anderen lernen?',
        answers: ['Sich ein wenig bewegen', 'Stehen bleiben, aufs Bit', 'Sich nur anfangs bewegen'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} von ${facts.held} gesperrten Zellen haben sich bewegt.`
            : `Keine der ${facts.held} gesperrten Zellen hat sich auch nur um ein Bit bewegt.`,
      },
      lesson: [
        'Vier Zellen, vier Zahlen. Jede will zu ihrem Ziel. Zwei tragen Schloss und Schraffur: Sie sind gesperrt.',
        'Trainiere 50 Schritte: Die freien Zellen wandern zu ihren Zielen. Die gesperrten stehen still.',
        'Darunter steht es genau: Keine der gesperrten Zellen hat sich um ein einziges Bit bewegt.',
        'Sperren lassen sich jederzeit ändern. Befreie die Zelle oben rechts und trainiere weiter: Sie bricht auf, als wäre es ihr erster Schritt, nach ihrer eigenen Uhr.',
        'Ein Wert lässt sich von Hand setzen: Zelle wählen und tippen. Eine gesperrte Zelle lehnt ab und sagt es. Nun probiere, was du magst.',
      ],
    },
    picture: {
      name: 'Bild',
      lede: 'Rauschen lernt, ein Bild zu sein. Zeichne darauf: Was du sperrst, bleibt, wie es ist, und das Bild wächst darum herum.',
      hint: 'Ziehe, um Sperren zu zeichnen. Beginne auf einer gesperrten Zelle, um sie wegzuwischen.',
      choices: {
        picture: { label: 'Bild', names: { evening: 'Abend', heart: 'Herz', ripples: 'Wellen' } },
      },
      guess: {
        question: 'Jede Zelle strebt zu einem Bild. Was wird aus dem gesperrten Ring?',
        answers: [
          'Auch er wird zum Bild',
          'Er bleibt das Rauschen, das er ist',
          'Er verschwimmt mit seinen Nachbarn',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} Zellen des Rings haben sich bewegt.`
            : `Der Ring ist das Rauschen, das er war: Keine seiner ${facts.held} Zellen hat sich auch nur um ein Bit bewegt.`,
      },
      lesson: [
        'Tausend Zellen voll Rauschen, und ein Ring davon ist gesperrt.',
        'Trainiere: Jede freie Zelle nimmt ihren Platz im Bild ein. Der Ring bleibt Rauschen.',
        'Zeichne mit dem Zeiger, oder halte die Umschalttaste und gehe mit den Pfeilen: Was du jetzt sperrst, behält, was es gelernt hat.',
        'Neben den Zellen siehst du, was der Optimierer weiß. Dies ist der Gradient: Auch gesperrte Zellen spüren ihn, folgen ihm aber nicht.',
        'Schiebe unter der Kurve zurück zu einem früheren Schritt, oder wechsle den Optimierer, während es läuft. Nun zeichne, was du magst.',
      ],
    },
    membrane: {
      name: 'Membran',
      lede: 'Ein Film, der glatt sein will. Gesperrte Zellen sind sein Rahmen: Sie halten still, und der Film spannt sich dazwischen.',
      hint: 'Sperre Zellen in der Mitte, und der Film hängt auch an ihnen.',
      choices: {
        frame: {
          label: 'Rahmen',
          names: { saddle: 'Sattel', crown: 'Krone', tilt: 'Schräge', photo: 'Foto mit Löchern' },
        },
      },
      lesson: [
        'Jede Zelle will wie ihre Nachbarn sein. Der Rand ist gesperrt: Er ist der Drahtrahmen einer Seifenhaut.',
        'Trainiere: Das Rauschen wird glatt, und der Film spannt sich von Rand zu Rand.',
        'Druck ist, was eine Sperre kostet: wie sehr der Verlust fiele, wenn die Zelle sich bewegen dürfte. Er ist neben dem Film gezeichnet.',
        'Dieselbe Aufgabe flickt Bilder: Hier fehlen sieben von zehn Zellen. Was übrig ist, ist gesperrt; der Film füllt die Löcher.',
        'Sperre Zellen mitten im Film, und er hängt an ihnen. Nun spanne einen eigenen.',
      ],
    },
    'leak-lab': {
      name: 'Lecklabor',
      lede: 'Dieselbe Aufgabe zweimal: mit einer echten Sperre und mit dem, was man heute tut, dem Gradienten mal 0. Nach 8 freien Schritten sind hier wie dort dieselben Zellen gehalten.',
      hint: 'Wechsle den Optimierer und sieh, wann die Maske leckt.',
      guess: {
        question:
          'Rechts wird der Gradient der gehaltenen Zellen mit 0 multipliziert. Wie viele werden sich bewegen?',
        answers: ['Keine: kein Gradient, kein Schritt', 'Einige', 'Alle'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          `Unter der Maske haben sich ${facts.moved} von ${facts.held} gehaltenen Zellen bewegt, um bis zu ${facts.farthest}; unter der echten Sperre keine.`,
      },
      lesson: [
        'Beide beginnen gleich und trainieren 8 Schritte frei. Dann werden dieselben Zellen gehalten: die einen durch eine Sperre, die anderen durch eine Maske, die ihren Gradienten mit 0 malnimmt.',
        'Unter Adam trainiere weiter. Die Zellen der Maske bewegen sich noch: Adams Momente tragen sie. Ein Sprung im Schloss zeigt jede Zelle, die ihren Platz verlassen hat.',
        'Unter einfachem SGD trägt sie nichts, und die Maske hält. Darum sieht der Trick zuerst richtig aus.',
        'Momentum erinnert sich, und die Maske leckt wieder. Kein Gradient, und doch Bewegung.',
        'AdamWs Gewichtsabnahme lässt jede Zelle schrumpfen, gehalten oder nicht: Die Zellen der Maske kommen nie zur Ruhe. Die Sperre: noch immer keine, um kein einziges Bit.',
      ],
    },
    network: {
      name: 'Gewichte',
      lede: 'Ein kleines Netz lernt, welche Punkte zu wem gehören. Seine Gewichte sind Zellen: Sperre einige, oder setze die kleinsten für immer auf 0, und die anderen lernen darum herum.',
      hint: 'Zeilen sind, woher ein Gewicht kommt, Spalten, wohin. Klicke auf Zelle oder Kante, um sie zu sperren.',
      ...layered,
      figures: {
        net: {
          layers: (layer, last) =>
            layer === 0 ? 'Eingang' : layer === last ? 'Ausgang' : `Schicht ${layer}`,
          label: (all, held) =>
            `Das Netz: ${all} Kanten, ${held} davon gesperrt (Schwellen). Zeige auf eine Kante oder ihre Zelle, um die andere zu sehen.`,
        },
        plane,
      },
      lesson: [
        'Scheiben und Quadrate auf einer Ebene. Die Farben dahinter sind, was das Netz sagt; seine Gewichte sind die Zellen und die Kanten: Zeige auf die eine, und du siehst die andere.',
        'Trainiere 300 Schritte: Die Farben schließen sich um die Punkte.',
        'Beschneide: Die kleinere Hälfte jeder Matrix wird 0 und dort gesperrt.',
        'Trainiere weiter. Die beschnittenen Gewichte bleiben 0, bis aufs Bit, und die anderen gleichen es aus.',
        'Sperre eine ganze Spalte mit einem Rechteck (Umschalttaste), oder wähle die Spirale und sieh, wie viele Gewichte sie braucht.',
      ],
    },
    lottery: {
      name: 'Lotterielos',
      lede: 'Ein Netz wird beschnitten und fängt von vorn an: Was von ihm bleibt, bekommt seine ersten Werte zurück. Lernt es dann so gut wie das ganze, war es ein Gewinnlos. Ebenso viele ausgeloste Gewichte sind es selten.',
      hint: 'Trainiere, beschneide und spule zurück, trainiere wieder. Nur Gewichte, die bleiben, sind als Kanten gezeichnet.',
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
          plot: 'Läufe der Studie: Trefferquote über den Gewichten, die bleiben',
          across: 'Gewichte, die bleiben',
          up: 'nie gesehene Punkte richtig',
          ticket: 'Los',
          random: 'Ausgelost',
          ticketKey: 'Los',
          randomKey: 'ausgelost (Linie: Mittel von dreien)',
          liveKey: 'dieser Lauf',
          point: (kind, kept, count, all, score) =>
            `${kind}, ${kept} % bleiben (${count} von ${all}): ${score} der nie gesehenen Punkte richtig.`,
          opens: 'Eingabe oder Klick: öffnen.',
          hint: 'Jede Marke ist ein Lauf: Zeige darauf, um ihn zu lesen, klicke, um ihn zu öffnen.',
          before: 'Die Kurve braucht 41 Läufe zu 1.500 Schritten. Sie werden nebenher trainiert.',
          running: (at, count) => `Lauf ${at} von ${count} wird nebenher trainiert.`,
          part: (done, count) => `${done} von ${count} Läufen sind gezeichnet.`,
          done: (count) => `Alle ${count} Läufe sind gezeichnet, je 1.500 Schritte.`,
          stale: 'Sie haben einen anderen Optimierer: Zeichne die Kurve neu.',
        },
        net: {
          layers: (layer, last) =>
            layer === 0 ? 'Eingang' : layer === last ? 'Ausgang' : `Schicht ${layer}`,
          label: (all, held) =>
            `Das Netz: ${all} Kanten, ${held} davon gesperrt. Bei 0 gesperrte fehlen, bis man auf sie zeigt.`,
        },
        plane,
      },
      lesson: [
        'Das Netz der Gewichte, nur größer: 267 Gewichte sollen eine Spirale lernen. Am Anfang hat jedes einen zufälligen Wert.',
        'Trainiere 1.500 Schritte: Es lernt die Spirale, auch wo es keine Punkte sah.',
        'Beschneide und spule zurück: Die kleineren zwei Drittel jeder Matrix werden 0 und dort gesperrt; die anderen bekommen die Werte zurück, die sie zuerst hatten.',
        'Trainiere wieder. Ein Drittel der Gewichte, mit denselben ersten Werten: Ist es ein Gewinnlos? Das Kreuz im Bild sagt es.',
        'Zeichne die Kurve: Sie nimmt jedes Mal ein Fünftel weg und trainiert neben jedem Los ebenso viele ausgeloste Gewichte. Öffne eine Marke, um ihren Lauf zu sehen.',
      ],
    },
    digits: {
      name: 'Ziffern',
      lede: 'Echte Handschrift, unterschieden von zehn Bildern aus Gewichten. Ein Pixel spricht für eine Ziffer, wo ihr Bild blau ist, und gegen sie, wo es orange ist.',
      hint: 'Sperre ein Bild oder Zellen davon und sieh, was die Trefferzahl dazu sagt.',
      grids: Object.fromEntries(
        Array.from({ length: 10 }, (_, digit) => [`w${digit}`, `${digit}`]),
      ),
      figures: {
        images: { label: (score) => `${score} von 300 ungesehenen Ziffern sind richtig gelesen.` },
      },
      lesson: [
        'Zwanzig von 300 Ziffern, an denen das Modell nie trainiert, darunter seine Vermutung. Zuerst weiß es nichts.',
        'Trainiere 50 Schritte: Jedes Bild wird zu dem, was für seine Ziffer spricht und was gegen sie.',
        'Beschneide: Die kleinsten Gewichte werden 0 und dort gesperrt. Die Ecken gehen zuerst: Dort kommt kaum ein Strich vorbei.',
        'Trainiere weiter: Was beschnitten ist, bleibt 0, und die Trefferzahl sinkt kaum.',
        'Sperre ein ganzes Bild, bevor du neu beginnst: Diese Ziffer muss mit dem auskommen, was sie hat.',
      ],
    },
    kernels: {
      name: 'Filter',
      lede: 'Ein Netz liest Handschrift durch acht 3×3-Filter, jeder ein kleines Bild, das überall gesucht wird. Zeichne eine Ziffer und sieh, was jeder Filter davon sieht.',
      hint: 'Tippe einen Filter ein, sperre ihn, und die anderen lernen um ihn herum.',
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
        ...{ biases: 'Schwellen der Filter', head: 'Kopf: zehn Ziffern, je was er liest' },
        offsets: 'Schwelle',
      },
      figures: {
        pad,
        features: {
          /** @param {number | null} digit @param {string | null} score */
          label: (digit, score) =>
            `${digit === null ? 'Die Fläche ist leer.' : `Das hält es für eine ${digit}.`} ${score} von 300 ungesehenen Ziffern sind richtig gelesen.`,
        },
      },
      lesson: [
        'Acht Filter, und unter jedem sein Bild: blau, wo er in der Ziffer fand, was er sucht. Die ersten zwei sind von Sobel, für stehende und für liegende Kanten; sie sind gesperrt.',
        'Trainiere 200 Schritte: Sechs Filter werden, was hilft, zwei bleiben, was eingetippt wurde, aufs Bit.',
        'Zeichne selbst eine Ziffer und sieh, welche Bilder aufleuchten.',
        'Nun sind alle acht gesperrt, wie der Zufall sie zog. Trainiere: Der Kopf allein muss mit dem auskommen, was sie sehen.',
        'Befreie einen Filter und trainiere weiter. Wie weit trägt einer, der lernt, die anderen?',
      ],
    },
    freeze: {
      name: 'Basis einfrieren',
      lede: 'Ein kleines Faltungsnetz kennt die Ziffern 0 bis 4. Seine Basis und diese fünf Antworten sind gesperrt, die anderen fünf lernen 5 bis 9 aus je zwanzig Beispielen.',
      hint: 'Befreie alles und beginne neu: Die neuen Ziffern kosten die alten.',
      guess: {
        question: 'Die neuen Ziffern werden auf gesperrter Basis gelernt. Was wird aus den alten?',
        answers: [
          'Sie werden vergessen',
          'Was von ihnen gewusst wird, bleibt, aufs Bit',
          'Sie werden auch besser',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} von ${facts.held} gesperrten Gewichten haben sich bewegt.`
            : `Keines der ${facts.held} gesperrten Gewichte hat sich um ein Bit bewegt; so sind die fünf alten Antworten auf jedes Bild dieselben Zahlen wie zuvor.`,
      },
      choices: {
        examples: {
          label: 'Beispiele',
          names: { new: 'Von neuen Ziffern', both: 'Von neuen und einigen alten' },
        },
      },
      grids: {
        ...{ head: 'Kopf: je Ziffer eine Spalte', bias: 'Seine Schwellen' },
        ...{ conv1: 'Basis: erste Filter', bias1: 'Ihre Schwellen' },
        ...{ conv2: 'Basis: zweite Filter', bias2: 'Ihre Schwellen' },
      },
      names: { bias: 'Bias' },
      figures: {
        accuracy: {
          padlock: 'Basis und Antworten 0 bis 4',
          ...{ old: 'Alte Ziffern, 0 bis 4', fresh: 'Neue Ziffern, 5 bis 9' },
          ...{ lock: 'Sperre', mask: 'Maske', free: 'ohne' },
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
                ? ` ${answers.changed} von ${answers.all} alten Antworten sind andere Zahlen als zuvor.`
                : ` Alle ${answers.all} beobachteten alten Antworten behalten jedes Bit.`
              : '';
            return `Von ungesehenen Ziffern, alten und neuen, sind ${own.old} und ${own.fresh} richtig gelesen${told.length ? `; ${told.join(', ')}` : ''}.${kept}`;
          },
        },
        pad,
        features: {
          /** @param {number | null} digit */
          label: (digit) =>
            digit === null ? 'Die Fläche ist leer.' : `Das hält es für eine ${digit}.`,
        },
      },
      lesson: [
        'Ein Netz, das Keras die Ziffern 0 bis 4 gelehrt hat. Seine Basis und die Spalten 0 bis 4 des Kopfes sind gesperrt.',
        'Trainiere 200 Schritte: Die Spalten 5 bis 9 lernen. Sonst bewegt sich nichts.',
        'Daneben dieselbe Sperre als Maske unter AdamW: Ihr Gewichtsverfall bewegt jedes alte Gewicht.',
        'Befreie alles und beginne neu: Die neuen Ziffern werden gut gelernt, und die alten sind weg.',
        'Mit einigen alten Ziffern unter den Beispielen wird weniger vergessen. Vergleiche es mit der Sperre.',
      ],
    },
    words: {
      name: 'Neue Wörter',
      lede: 'Eine Tabelle von Wortvektoren: Neun bekannte sind gesperrt, fünf neue lernen, was sie bedeuten. Daneben dasselbe unter einer Maske, die die alten vergisst.',
      hint: 'Zeilen sind Wörter. Befreie ein bekanntes, und es lernt mit.',
      guess: {
        question: 'Eine Maske gibt den alten Wörtern keinen Gradienten. Bleiben sie, wo sie sind?',
        answers: ['Ja, nichts zieht an ihnen', 'Nein, sie bewegen sich'],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `Unter der Maske haben sich ${facts.moved} von ${facts.held} alten Zahlen bewegt, um bis zu ${facts.farthest}; unter der echten Sperre keine.`
            : 'Unter diesem Verfahren sind sie geblieben. Versuche AdamW.',
      },
      names: {
        ...{ mouse: 'Maus', cat: 'Katze', dog: 'Hund', horse: 'Pferd', elephant: 'Elefant' },
        ...{ spoon: 'Löffel', chair: 'Stuhl', car: 'Auto', house: 'Haus', kitten: 'Kätzchen' },
        ...{ whale: 'Wal', needle: 'Nadel', lorry: 'Lastwagen', 'toy dog': 'Spielhund' },
      },
      figures: {
        words: {
          label: (score) =>
            `${score} der alten Wörter sind, wo sie hingehören (Kreise). Schräg: neue.`,
          ...{ small: 'klein', large: 'groß', animal: 'Tier', thing: 'Ding' },
        },
      },
      lesson: [
        'Jede Zeile ist ein Wort, als acht Zahlen. Eine feste Matrix liest sie als Punkt: von Tier zu Ding, von klein zu groß. Kreise sind, wo Wörter hingehören.',
        'Trainiere: Die fünf neuen Wörter finden ihren Platz aus Sätzen, in denen sie vorkommen.',
        'Unter der Sperre behalten die neun alten Wörter jedes Bit. Unter der Maske zieht AdamWs Gewichtsabnahme sie zur Mitte: Das Modell vergisst, wonach niemand gefragt hat.',
        'Einfaches Adam hat keine Gewichtsabnahme: Wechsle, und das Vergessen hört auf. Was vergessen ist, bleibt vergessen.',
        'Befreie eine Zeile, und sie nimmt teil. Welche Wörter sollte ein Modell ändern dürfen?',
      ],
    },
    graph: {
      name: 'Graph',
      lede: 'Je zwei Knoten wollen so weit auseinander sein, wie der Graph es sagt. Angeheftete sind gesperrt, die anderen finden ihren Platz. Ziehe einen: Solange du ihn hältst, zieht ihn kein Training fort.',
      hint: 'Klicke auf einen Knoten, um ihn anzuheften, ziehe, um ihn zu bewegen. Eine Zeile ist ein Knoten; sperre nur x oder nur y, und er gleitet auf einer Linie.',
      choices: {
        graph: {
          label: 'Graph',
          names: { mesh: 'Netz', tree: 'Baum', club: 'Karateverein' },
        },
      },
      guess: {
        question: 'Alle Knoten ziehen aneinander. Werden sich die angehefteten bewegen?',
        answers: [
          'Ein wenig, wenn die anderen ziehen',
          'Nein, um kein Bit',
          'Nur, bis alles im Gleichgewicht ist',
        ],
        /** @param {import('../scenes/guesses.js').Facts} facts */
        told: (facts) =>
          facts.moved
            ? `${facts.moved} von ${facts.held} Zahlen angehefteter Knoten haben sich bewegt.`
            : `Die anderen fanden ihren Platz um sie herum: Von den ${facts.held} Zahlen der angehefteten Knoten hat sich keine auch nur um ein Bit bewegt.`,
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
            `${all} Knoten, ${pinned} davon angeheftet. Dünne, blaue Kanten sind zu lang, dicke, orange zu kurz. Klick oder Leertaste heftet einen Knoten an; ziehe ihn, oder bewege ihn mit Pfeilen, bis Enter ihn loslässt. Die Bildtasten gehen zum nächsten.`,
        },
      },
      lesson: [
        'Knoten, zufällig hingeworfen, und Kanten dazwischen wie Gummibänder. Die Ecken tragen ein Schloss: Ihre Zeilen sind gesperrt.',
        'Trainiere: Je zwei Knoten gehen so weit auseinander, wie auf dem Weg vom einen zum anderen Kanten liegen. Der Verlust, Stress genannt, ist, wie viel daran fehlt.',
        'Ziehe einen Knoten, während es trainiert. Das Ziehen ist ein eigener Halter: Es hält den Knoten, solange du es tust. Lass los, und er schnellt zurück.',
        'Ein Schloss ist deins, nicht das des Ziehens. Dies heftet Knoten 6 an; nun ziehe ihn: Er bleibt, wo du ihn hinlegst.',
        'Dasselbe mit Menschen: ein Karateverein, der zerbrach. Seine beiden Anführer sind angeheftet, links und rechts. Wer steht bei wem? Nun ziehe an ihnen.',
      ],
    },
    peaks: {
      name: 'Spektrum',
      lede: 'Ein Spektrum ist eine Summe von vier Glocken. Ihre Breiten sind vom Gerät her bekannt und gesperrt; ihre Höhen und Orte werden gefunden.',
      hint: 'Eine Zeile ist eine Glocke. Ihre Breite ist in Zehnteln der Achse.',
      choices: {
        noise: { label: 'Daten', names: { noisy: 'Mit Rauschen', clean: 'Ohne Rauschen' } },
      },
      names: { height: 'Höhe', place: 'Ort', width: 'Breite' },
      figures: {
        curves: {
          label: (chi, freedom) =>
            `Punkte: gemessen. Linie: die Summe. Gestrichelt: ihre vier Teile. Abweichung: reduziertes χ² = ${chi.replace('.', ',')} bei ${freedom} Freiheitsgraden; Rauschen allein ergibt 1.`,
          exact: (off) =>
            `Punkte: gemessen, ohne Rauschen. Linie: die Summe. Gestrichelt: ihre vier Teile. Abweichung: ${off.replace('.', ',')} im quadratischen Mittel.`,
          across: 'Ort',
          up: 'Höhe',
        },
      },
      lesson: [
        'Punkte sind gemessen. Jede Zeile ist eine Glocke: ihre Höhe, ihr Ort, ihre Breite. Die Breiten sind gesperrt.',
        'Trainiere 150 Schritte: Höhen und Orte wandern, bis die Linie die Punkte trifft.',
        'Die Breiten haben jedes Bit behalten: Was bekannt ist, bleibt bekannt.',
        'Druck sagt, was jede Sperre kostet: wie sehr der Verlust fiele, wenn die Breite sich ändern dürfte.',
        'Befreie eine Breite und trainiere weiter, oder setze eine von Hand falsch und sieh, welche Glocken dafür zahlen.',
      ],
    },
    own: {
      name: 'Eigenes',
      lede: 'Bring Zahlen oder ein Bild mit, wähle, wohin sie sollen und nach welchem Verlust, sperre, was bleiben soll, und trainiere.',
      hint: 'Füge unten Zahlen ein, oder lege irgendwo eine Datei ab. Nichts verlässt deinen Rechner.',
      choices: {
        target: {
          label: 'Ziel',
          names: {
            data: 'Deine Daten',
            negative: 'Ihr Negativ',
            mirror: 'Ihr Spiegelbild',
            zero: 'Null',
          },
        },
        loss: {
          label: 'Verlust',
          names: {
            squared: 'Quadrate',
            absolute: 'Abstände',
            logCosh: 'Log-cosh',
            smooth: 'Rauheit, ohne Ziel',
          },
        },
      },
      lesson: [
        'Füge unten eine Tabelle von Zahlen ein oder lege irgendwo eine Datei ab. Bis dahin: Ringe auf Wasser.',
        'Trainiere: Aus Rauschen werden deine Daten.',
        'Wähle ein anderes Ziel, etwa das Spiegelbild, und es beginnt bei deinen Daten.',
        'Sperre Zellen und trainiere wieder: Was gesperrt ist, nimmt nicht teil.',
        'Teile einen Link: Er enthält deine Zahlen, deine Sperren und jeden Schritt, bis aufs Bit.',
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
    resetHint: 'Wieder ab Schritt 0; Sperren bleiben',
    stepCount: 'Schritt',
    rewind: 'Gezeigter Schritt',
    rewound: (step) => `Schritt ${step}`,
  },

  status: {
    ready: 'Bereit',
    running: 'Trainiert',
    paused: 'Angehalten',
    settled: 'Zur Ruhe gekommen',
    allLocked: 'Alles gesperrt',
    diverged: 'Entglitten',
    looking: 'Rückblick; „Starten“ geht von hier weiter',
    replaying: 'Wiederholung',
  },

  /** While a long run is replayed. */
  replay: {
    cancel: 'Abbrechen',
    /** @param {string} step @param {string} to @param {string} left */
    text: (step, to, left) => `Wird aufs Bit genau wiederholt: Schritt ${step} von ${to}${left}`,
    /** @param {number} seconds not a number while it is not known */
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
    speeds: (speed) => (speed ? `${speed} Schritte/s` : 'So schnell es geht'),
    size: 'Gitter',
    sizes: (rows, cols) => `${rows} × ${cols}`,
    seed: 'Startzahl',
    beside: 'Daneben',
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
      clock: 'Eigene Uhr',
      mask: 'Dasselbe, mit Maske',
      rule: 'Dasselbe, anderer Optimierer',
    },
    mask: 'Gradientenmaske',
    scale: (reach) => `Farben von −${reach} bis ${reach}`,
  },

  proof: {
    drift: 'Drift',
    held: 'Prüfung: Jede gehaltene Zelle hat ihre Bits',
    leaked: (count) =>
      `Prüfung: ${count} gehaltene ${count === 1 ? 'Zelle ist' : 'Zellen sind'} verändert`,
  },

  prune: {
    label: 'Die kleinsten beschneiden',
    act: 'Beschneiden',
    share: (percent) => `${percent} %`,
    hint: 'Sie werden 0 und dort gesperrt',
  },

  share: {
    label: 'Teilen und speichern',
    link: 'Link zu genau diesem Lauf',
    copy: 'Link kopieren',
    copied: 'Kopiert',
    notCopied:
      'Dieser Browser hat es nicht erlaubt. Was kopiert werden sollte, ist markiert: Kopiere es mit Tasten.',
    embed: 'Zum Einbetten kopieren',
    tooLong: 'Dieser Lauf ist zu lang für einen Link. Speichere ihn als Datei; sie enthält alles.',
    png: 'Bild (PNG)',
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
    why: 'Der lecke Lauf hat den kleineren Loss: Er bewegt Zellen, die er halten sollte, und hat so mehr, womit er sich anpasst. Ein kleinerer Loss beweist keine Sperre.',
  },

  /** A question before the first step. */
  guess: {
    title: 'Erst raten',
    pass: 'Zeig es mir einfach',
    /** @param {string} answer */
    made: (answer) => `Deine Vermutung: „${answer}“.`,
  },

  code: {
    label: 'Code dieses Laufs',
    copy: 'Code kopieren',
    page: 'Als lauffähige Seite sichern',
    /** @param {number} thousands of characters */
    long: (thousands) =>
      `Der Anfang von ${thousands}.000 Zeichen. Kopiert oder gesichert ist er ganz.`,
  },

  own: {
    label: 'Deine Zahlen',
    field: 'Zahlen: eine Zeile je Zeile, als CSV oder aus einer Tabelle; oder JSON',
    use: 'Diese Zahlen nehmen',
    file: 'Oder eine Datei: CSV, JSON oder Bild',
    drop: 'Hier ablegen: Zahlen, ein Bild oder ein gespeicherter Lauf',
    taken: (rows, cols) => `${rows} Zeilen zu ${cols} Zahlen.`,
    skipped: (headers, names) =>
      `Weggelassen: ${[headers ? 'die Kopfzeile' : '', names ? 'die Namen der Zeilen' : ''].filter(Boolean).join(' und ')}.`,
    scaled: (divisor) =>
      `Alle sind durch ${divisor} geteilt, damit sie um 1 groß sind und übliche Lernraten zu ihnen passen.`,
    image: (rows, cols) =>
      `Ein Bild von ${rows} Zeilen und ${cols} Spalten: Schwarz ist −1, Weiß +1. Es beginnt, wie es ist; wähle, wohin es soll.`,
    stays: 'Was vorher lief, ist noch da.',
    problems: {
      empty: () => 'Es stehen noch keine Zahlen darin.',
      ragged: ({ line, isRow, count, wanted }) =>
        `${isRow ? 'Tabellenzeile' : 'Zeile'} ${line} hat ${count} ${count === 1 ? 'Zelle' : 'Zellen'}, die erste aber ${wanted}.`,
      notANumber: ({ line, isRow, column, given }) =>
        `${isRow ? 'Tabellenzeile' : 'Zeile'} ${line}, Zelle ${column}: „${given}“ ist keine Zahl.`,
      noCell: ({ line, column }) => `Zeile ${line}, Zelle ${column} ist leer.`,
      grouped: ({ line, column, given }) =>
        `Zeile ${line}, Zelle ${column}: „${given}“ kann eine Zahl oder das Tausendfache heißen. Schreibe sie ohne Komma.`,
      tooLarge: () => 'Das ist zu groß: höchstens 128 Zeilen und 128 Spalten.',
      tooSmall: () => 'Es braucht mindestens zwei Zeilen und zwei Spalten.',
      image: () => 'Diese Datei ist kein Bild, das der Browser lesen kann.',
      json: ({ line }) => `Das beginnt als JSON, ist aber keines: siehe Zeile ${line}.`,
      jsonShape: () =>
        'Dieses JSON enthält keine Tabelle: Es braucht eine Liste von Zeilen wie [[0, 1], [1, 0]] oder ein Objekt, das sie als "values" enthält.',
      binary: () => 'Diese Datei ist weder Text noch ein Bild.',
    },
  },

  lesson: {
    guess: 'Rate zuerst; die Antwort kommt mit dem Training.',
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
    rival: 'daneben',
    test: 'auf ungesehenen Punkten',
    lost: 'keine Zahl',
  },

  locks: {
    label: 'Sperren',
    all: 'Alle sperren',
    none: 'Alle befreien',
    whole: (name) => `${name}: alle sperren`,
    matrix: 'Die ganze Matrix sperren oder befreien',
    draw: 'Zeichnen',
    drawHint: 'Ein Finger zeichnet Sperren, statt zu scrollen',
    invert: 'Umkehren',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    brush: 'Pinsel',
    brushes: (side) => (side === 1 ? '1 Zelle' : `${side} × ${side}`),
    count: (locked, all) => `${locked} von ${all} Zellen gesperrt`,
    moved: (moved, count) =>
      count === 0
        ? 'keine hat sich um ein einziges Bit bewegt'
        : `${moved} haben sich bewegt: bitte melde das`,
    leaked: (leaked) =>
      `unter der echten Sperre hat sich keine um ein einziges Bit bewegt, unter der Maske ${leaked}`,
  },

  legend: {
    label: 'Legende',
    value: 'Wert',
    locked: 'gesperrt, bis aufs Bit',
    free: 'frei, lernt',
    drifted: 'von einer Maske gehalten, hat sich bewegt',
  },

  inspector: {
    label: 'Zelle',
    where: (row, col) => `Zeile ${row}, Spalte ${col}`,
    locked: 'Gesperrt',
    free: 'Frei',
    lockedHint: 'Gesperrt: drücken befreit',
    freeHint: 'Frei: drücken sperrt',
    edit: 'Wert setzen',
    value: 'Wert',
    bits: 'Bits',
    goal: 'Ziel',
    gradient: 'Gradient',
    gradientHeld: 'Gradient, nicht befolgt',
    clock: 'eigene Uhr',
    steps: (steps, isOne) => `${steps} ${isOne ? 'Schritt' : 'Schritte'}`,
    around: 'Ihre Nachbarn',
    path: 'Ihr Weg',
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
      ['Pfeile', 'gehen, weiter zur nächsten Matrix, hinauf zu Namen, die alles Ihre sperren'],
      ['Leertaste, Eingabe', 'sperren oder befreien'],
      ['Umschalt + Pfeile', 'Rechteck aufziehen'],
      ['0–9, −', 'Wert tippen'],
      ['Pos1, Ende', 'Enden der Zeile'],
      ['Bild auf, Bild ab', 'zehn Zeilen'],
      ['Strg + Pos1, Ende', 'erste und letzte Zelle'],
      ['Strg + Z, Strg + Y', 'rückgängig, wiederholen'],
    ],
  },

  messages: {
    dismiss: 'Schließen',
    locked: (row, col) =>
      `Zeile ${row}, Spalte ${col} ist gesperrt und behält ihren Wert. Befreie sie zuerst (Leertaste), dann setze ihn.`,
    notANumber: (given, kept) => `„${given}“ ist keine Zahl, also behält die Zelle ${kept}.`,
    grouped: (given, kept) =>
      `„${given}“ kann eine Zahl oder das Tausendfache heißen, also behält die Zelle ${kept}. Schreibe sie ohne Komma.`,
    beyond: (given, kept) =>
      `„${given}“ ist mehr, als eine 32-Bit-Zahl fasst, also behält die Zelle ${kept}. Schreibe eine Zahl bis 3.4e38.`,
    options: {
      learningRate: (given, kept) =>
        `Eine Lernrate ist eine Zahl ab 0, etwa 0.01. „${given}“ ist keine, also bleibt ${kept}.`,
      momentum: (given, kept) =>
        `Momentum ist eine Zahl ab 0 und unter 1. „${given}“ ist keine, also bleibt ${kept}.`,
      weightDecay: (given, kept) =>
        `Gewichtsabnahme ist eine Zahl ab 0, etwa 0.004. „${given}“ ist keine, also bleibt ${kept}.`,
    },
    link: (field) =>
      `Etwas in diesem Link oder dieser Datei war nicht zu lesen (${field}). Der Rest ist hier.`,
    edits: (left) =>
      `${left === 1 ? 'Eine Änderung' : `${left} Änderungen`} dieses Laufs ${left === 1 ? 'war' : 'waren'} nicht zu lesen. Er wird ohne sie wiederholt, seine Zahlen können also andere sein.`,
    file: 'Diese Datei enthält keinen Lauf. Alles bleibt, wie es war.',
    refused: (field) => `Das wurde nicht angenommen (${field}); alles bleibt, wie es war.`,
    diverged:
      'Die Zahlen sind über alle Grenzen gewachsen: Die Lernrate ist zu groß für diesen Optimierer. Graue Zellen sind keine Zahlen mehr; gesperrte halten noch immer. Beginne von vorn mit einer kleineren.',
    tooLarge:
      'Der gesetzte Wert ist so groß, dass der Verlust in keine 32-Bit-Zahl passt. Mach es rückgängig oder setze einen kleineren.',
    drawing: 'Etwas auf dieser Seite war nicht zu zeichnen. Der Lauf geht weiter.',
    figure: 'Diese Abbildung war nicht zu zeichnen. Der Lauf geht weiter.',
    offline:
      'Ein Teil dieser Seite ist noch nicht geladen und nicht zu erreichen. Alles bleibt, wie es war. Prüfe die Verbindung und versuche es noch einmal; hilft das nicht, lade die Seite neu.',
    failed: 'Die Bibliothek hat das abgelehnt, und alles bleibt, wie es war.',
    study:
      'Die Studie, die nebenher trainiert, ist abgebrochen; der Lauf auf dem Bildschirm geht weiter.',
    sandboxed:
      'Die Seite konnte ihren Rechner nicht starten, denn sie steht in einem Rahmen mit Sandbox. Ergänze dessen Sandbox um allow-same-origin.',
    broken:
      'Die Seite konnte nicht starten. Sie braucht einen Browser mit WebAssembly SIMD, ab 2023.',
  },

  spoken: {
    summary: (status, step, loss, locks) =>
      `${status}. Schritt ${step}, Verlust ${loss}, ${locks}.`,
  },
};
