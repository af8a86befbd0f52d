/* Models of TensorFlow.js's examples in our own words, written once: `tf` is TensorFlow.js, or
 * gradlock's layers under the same names. What differs between the two is in tensorflow.js and
 * gradlock.js beside this. */

/** Flowers: four measures, three kinds. @param {any} tf */
export const iris = (tf) => {
  const model = tf.sequential();
  model.add(tf.layers.dense({ units: 10, activation: 'sigmoid', inputShape: [4] }));
  model.add(tf.layers.dense({ units: 3, activation: 'softmax' }));
  model.compile({
    optimizer: tf.train.sgd(0.1),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy'],
  });
  return model;
};

/** Digits: three convolutions. @param {any} tf */
export const mnist = (tf) => {
  const model = tf.sequential();
  model.add(
    tf.layers.conv2d({ inputShape: [28, 28, 1], kernelSize: 3, filters: 4, activation: 'relu' }),
  );
  model.add(tf.layers.maxPooling2d({ poolSize: 2, strides: 2 }));
  model.add(tf.layers.conv2d({ kernelSize: 3, filters: 8, activation: 'relu' }));
  model.add(tf.layers.maxPooling2d({ poolSize: 2, strides: 2 }));
  model.add(tf.layers.flatten({}));
  model.add(tf.layers.dense({ units: 16, activation: 'relu' }));
  model.add(tf.layers.dense({ units: 10, activation: 'softmax' }));
  model.compile({
    optimizer: tf.train.sgd(0.05),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy'],
  });
  return model;
};

/** Digits 0 to 4 first, then 5 to 9 on what was learned: features, and a head. @param {any} tf */
export const transfer = (tf) => {
  const features = [
    tf.layers.conv2d({ filters: 4, kernelSize: 3, padding: 'valid', inputShape: [28, 28, 1] }),
    tf.layers.activation({ activation: 'relu' }),
    tf.layers.conv2d({ filters: 4, kernelSize: 3 }),
    tf.layers.activation({ activation: 'relu' }),
    tf.layers.maxPooling2d({ poolSize: 2 }),
    tf.layers.flatten(),
  ];
  const head = [
    tf.layers.dense({ units: 16 }),
    tf.layers.activation({ activation: 'relu' }),
    tf.layers.dense({ units: 5 }),
    tf.layers.activation({ activation: 'softmax' }),
  ];
  const model = tf.sequential({ layers: [...features, ...head] });
  for (const layer of features) layer.trainable = false;
  model.compile({
    optimizer: tf.train.sgd(0.1),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy'],
  });
  return model;
};

/** Sums of numbers, written out: a sequence in, a sequence out. @param {any} tf */
export const addition = (tf) => {
  const [hidden, length, characters, digits] = [8, 5, 12, 3];
  const model = tf.sequential();
  // TensorFlow.js's own default is hardSigmoid; Keras 3's, and ours, is sigmoid.
  const options = {
    units: hidden,
    recurrentInitializer: 'glorotNormal',
    recurrentActivation: 'sigmoid',
  };
  model.add(tf.layers.lstm({ ...options, inputShape: [length, characters] }));
  model.add(tf.layers.repeatVector({ n: digits }));
  model.add(tf.layers.gru({ ...options, returnSequences: true, resetAfter: false }));
  model.add(tf.layers.timeDistributed({ layer: tf.layers.dense({ units: characters }) }));
  model.add(tf.layers.activation({ activation: 'softmax' }));
  model.compile({
    optimizer: tf.train.sgd(0.5),
    loss: 'categoricalCrossentropy',
    metrics: ['accuracy'],
  });
  return model;
};

/**
 * Whether words are kind: embedded, and convolved in time or read both ways.
 * @param {any} tf
 * @param {string} kind
 */
export const sentiment = (tf, kind) => {
  const model = tf.sequential();
  model.add(tf.layers.embedding({ inputDim: 20, outputDim: 6, inputLength: 10 }));
  if (kind === 'cnn') {
    model.add(
      tf.layers.conv1d({
        filters: 5,
        kernelSize: 3,
        strides: 1,
        padding: 'valid',
        activation: 'relu',
      }),
    );
    model.add(tf.layers.globalMaxPooling1d({}));
    model.add(tf.layers.dense({ units: 4, activation: 'relu' }));
  } else if (kind === 'simpleRNN') {
    model.add(tf.layers.simpleRNN({ units: 4 }));
  } else {
    model.add(
      tf.layers.bidirectional({
        layer: tf.layers.lstm({ units: 3, recurrentActivation: 'sigmoid' }),
        mergeMode: 'concat',
      }),
    );
  }
  model.add(tf.layers.dense({ units: 1, activation: 'sigmoid' }));
  model.compile({ optimizer: tf.train.sgd(0.2), loss: 'binaryCrossentropy', metrics: ['acc'] });
  return model;
};
