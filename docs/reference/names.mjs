/* A plugin of TypeDoc: pages are called by their titles, and modules as they are imported. */
import { ReflectionKind } from 'typedoc';

const TITLE = /^# (.+)\n+/;

/** @param {import('typedoc').Application} app */
export const load = (app) => {
  app.converter.on('createDocument', (_, page) => {
    const [first] = page.content;
    const [, title = page.name] = TITLE.exec(first.text) ?? [];
    page.name = title.replaceAll('`', '');
    first.text = first.text.replace(TITLE, '');
  });
  app.converter.on('createDeclaration', (_, module) => {
    if (module.kind !== ReflectionKind.Module) return;
    module.name = module.name === 'index' ? 'gradlock' : `gradlock/${module.name}`;
  });
  app.converter.on('resolveEnd', ({ project }) => {
    const [first] = project.readme ?? [];
    if (first) first.text = first.text.replace(TITLE, '');
  });
};
