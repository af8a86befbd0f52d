/* How the reference is arranged and looks: groups and names of pages, addresses, C's functions
 * among what the search finds, and the bar at the top. All else is TypeDoc's default theme, with
 * style.css. */
import {
  Comment,
  CommentTag,
  Converter,
  DeclarationReflection,
  DefaultTheme,
  DefaultThemeRenderContext,
  IndexEvent,
  JSX,
  KindRouter,
  PageEvent,
  ReflectionKind,
} from 'typedoc';
import { categoryOf, OBJECTS, PARTS, INSIDE } from './pages.mjs';

/** @typedef {import('typedoc').Application} Application */
/** @typedef {Awaited<ReturnType<typeof import('./header.mjs').readHeader>>} Header */

const h = JSX.createElement;

/** Classes of ops, each a page of its own: `ElementwiseOps` is the page "Elementwise ops". */
const FAMILY = /^(\w+)Ops$/;

/** Where all are named. */
const OVERVIEW = 'ops/overview';

/** What is shown of C's kinds in the search. */
const KINDS = {
  function: ReflectionKind.Function,
  enum: ReflectionKind.Enum,
  struct: ReflectionKind.Interface,
  typedef: ReflectionKind.TypeAlias,
  define: ReflectionKind.Variable,
};

/** @param {DeclarationReflection} one @param {string} category */
const setCategory = (one, category) => {
  one.comment ??= new Comment();
  one.comment.blockTags.push(new CommentTag('@category', [text(category)]));
};

/**
 * One list of names instead of TypeScript's chain of classes: ops stand on the page of their family
 * only, and whatever a class has, it has.
 * @param {import('typedoc').ProjectReflection} project
 */
const arrange = (project) => {
  for (const module of project.getChildrenByKind(ReflectionKind.Module)) {
    project.mergeReflections(module, project);
  }
  // Classes that only others extend: what they have stands with those. Some are both.
  const bases = project
    .getChildrenByKind(ReflectionKind.Class)
    .flatMap((one) =>
      (one.extendedTypes ?? []).flatMap(({ reflection, name }) =>
        reflection && !/^(Tensor|\w*Error|\w*Ops|Layer|Model|\w*Conv2D\w*|Dropout)$/.test(name)
          ? [reflection]
          : [],
      ),
    );
  // Members that types name one by one come without their class, which has them.
  const parts = project.getChildrenByKind(ReflectionKind.ClassMember);
  // What options are computed from stands in no page; their own pages say what came out.
  const inside = (project.children ?? []).filter(({ name }) => INSIDE.test(name));
  for (const one of new Set([...bases, ...parts, ...inside])) project.removeReflection(one);
  for (const one of project.children ?? []) {
    const category = categoryOf(one.name, one.kindOf(ReflectionKind.Class));
    setCategory(one, category);
    if (!one.kindOf(ReflectionKind.Class)) continue;
    if (category !== 'Errors') one.extendedTypes = one.extendedBy = undefined;
    const isOfOps = FAMILY.test(one.name) || one.name === 'Gradlock' || one.name === 'Ops';
    for (const child of [...(one.children ?? [])]) {
      const isOp = isOfOps && child.flags.isInherited && child.kindOf(ReflectionKind.Method);
      if (isOp || child.name === 'constructor' || /^[[#]/.test(child.name)) {
        project.removeReflection(child);
        continue;
      }
      const parts = [child, child.getSignature, child.setSignature, ...(child.signatures ?? [])];
      for (const part of parts) if (part) part.inheritedFrom = part.overwrites = undefined;
      if (one.name !== 'Gradlock') continue;
      const [title] = PARTS.find(([, names]) => names.includes(child.name)) ?? [];
      if (!title) throw new Error(`pages.mjs does not say where g.${child.name} belongs`);
      setCategory(child, title);
    }
    one.name = one.name.replace(FAMILY, '$1 ops');
  }
  listOps(project);
};

/** All ops on one page, by family. @param {import('typedoc').ProjectReflection} project */
const listOps = (project) => {
  const overview = project.getChildByName('Ops');
  if (!overview?.comment) throw new Error('the class Ops is not among the types');
  /** @param {string} text @param {import('typedoc').Reflection} target */
  const link = (text, target) => ({ kind: 'inline-tag', tag: '@link', text, target });
  const families = (project.children ?? []).filter(({ name }) => / ops$/.test(name));
  for (const family of families) {
    const methods = family.getChildrenByKind(ReflectionKind.Method);
    const names = methods.flatMap((one, i) => [text(i ? ', ' : ': '), link(one.name, one)]);
    overview.comment.summary.push(text('\n\n'), link(family.name, family), ...names);
  }
};

/** @param {string} words @returns {import('typedoc').CommentDisplayPart} */
const text = (words) => ({ kind: 'text', text: words });

/**
 * Addresses by what a page is about, and C's names as places on their pages, which the search
 * finds.
 * @param {Header} header
 */
const routerFor = (header) =>
  class extends KindRouter {
    /** @override @param {import('typedoc').Reflection} reflection */
    getIdealBaseName(reflection) {
      const name = reflection.name.replace(/[^\w.-]+/g, '-');
      if (reflection.isDocument()) return pathOf(reflection);
      if (name === 'Ops') return OVERVIEW;
      const isOps = / ops$/.test(reflection.name);
      return isOps ? `ops/${name.replace(/-ops$/, '').toLowerCase()}` : `js/${name}`;
    }

    /** @override @param {import('typedoc').ProjectReflection} project */
    buildPages(project) {
      const pages = super.buildPages(project);
      for (const { slug, entities } of header) {
        const page = (project.documents ?? []).find((one) => pathOf(one) === `c/${slug}`);
        if (!page) throw new Error(`there is no page of C's ${slug}`);
        for (const { name, kind, doc } of entities) {
          const entity = new DeclarationReflection(name, KINDS[kind], page);
          entity.comment = new Comment([{ kind: 'text', text: doc }]);
          this.fullUrls.set(entity, `${this.getFullUrl(page)}#${name.toLowerCase()}`);
          this.anchors.set(entity, name.toLowerCase());
        }
      }
      return pages;
    }
  };

/** Where a page of Markdown goes. @param {import('typedoc').DocumentReflection} page */
const pathOf = (page) => String(page.frontmatter.path);

/** What a page of the reference is about, in a word. @param {import('typedoc').Reflection} model */
const aboutOf = (model) => {
  const object = OBJECTS.get(model.name) ?? (/ ops$/.test(model.name) ? 'g' : undefined);
  if (object) return h('p', { class: 'receiver' }, 'Methods of ', h('code', null, object));
  const kind =
    model.isDeclaration() && !model.kindOf(ReflectionKind.TypeAlias)
      ? ReflectionKind.singularString(model.kind)
      : '';
  return kind && h('p', { class: 'receiver' }, kind);
};

/** @param {import('typedoc').Reflection} model */
const groupOf = (model) =>
  model.isDocument()
    ? String(model.frontmatter.category)
    : String(model.comment?.getTag('@category')?.content[0]?.text ?? '');

class Context extends DefaultThemeRenderContext {
  /** @param {ConstructorParameters<typeof DefaultThemeRenderContext>} args */
  constructor(...args) {
    super(...args);
    const { toolbar, hierarchy } = this;
    const none = () => h(JSX.Fragment, null);

    /** The demo's bar: its mark and name, where one may go, the search, and light or dark. */
    this.toolbar = (props) => {
      /** @param {string} label @param {string} path */
      const to = (label, path) => h('a', { href: this.relativeURL(path) }, label);
      const places = h(
        'nav',
        { class: 'places', 'aria-label': 'Places' },
        ...PLACES.map(([label, path]) => to(label, path)),
      );
      const bar = toolbar(props);
      const contents = bar.children[0];
      const [title, , search, dialog, menu] = contents.children;
      title.children.unshift(raw(MARK));
      contents.children = [title, places, search, dialog, raw(THEME), menu];
      return bar;
    };

    this.header = ({ model, url }) => {
      const isList = model.isProject() && url !== 'index.html';
      const type = model.typeParameters?.map(({ name }) => name).join(', ');
      return h(
        'div',
        { class: 'tsd-page-title' },
        model.isProject() ? none() : h('p', { class: 'group' }, groupOf(model)),
        h('h1', null, isList ? 'Contents' : model.name, type ? `<${type}>` : ''),
        model.isProject() ? none() : aboutOf(model),
      );
    };

    /** The menu comes by script; without one there is the list. */
    this.navigation = () =>
      h(
        'nav',
        { class: 'tsd-navigation', 'aria-label': 'Pages' },
        h(
          'ul',
          { class: 'tsd-small-nested-navigation', id: 'tsd-nav-container' },
          h('li', null, h('a', { href: this.relativeURL('modules.html') }, 'Contents')),
        ),
      );

    /** Parameters that nothing is said of stand in the signature already. */
    this.memberSignatureBody = (props) => {
      const told = (props.parameters ?? []).filter((one) => one.comment?.hasVisibleComponent());
      const returns = props.comment?.getTag('@returns');
      return h(
        JSX.Fragment,
        null,
        this.commentSummary(props),
        props.typeParameters && this.typeParameters(props.typeParameters),
        told.length > 0 &&
          h(
            'ul',
            { class: 'tsd-parameter-list' },
            ...told.map((one) =>
              h(
                'li',
                null,
                h('span', { class: 'tsd-kind-parameter' }, one.name),
                this.commentSummary(one),
                this.typeDetailsIfUseful(one, one.type),
              ),
            ),
          ),
        returns?.content.some((part) => part.text.trim() !== '') &&
          h(JSX.Fragment, null, h('h4', null, 'Returns'), raw(this.markdown(returns.content))),
        this.commentTags(props),
      );
    };

    // What is optional has a question mark in its signature.
    this.reflectionFlags = none;
    this.settings = none;
    this.memberSources = none;
    this.hierarchy = (tree) => (this.page.model.name.endsWith('Error') ? hierarchy(tree) : none());
  }
}

/** @param {string} html */
const raw = (html) => h(JSX.Raw, { html });

/** Where the bar leads to. */
const PLACES = [
  ['Guide', 'guide/guide.html'],
  ['Ops', `${OVERVIEW}.html`],
  ['C', 'c/conventions-and-limits.html'],
  ['Demo', '../index.html'],
];

/** @param {string} parts Of a drawing of 16 by 16. @param {string} [name] Its class. */
const drawing = (parts, name = '') =>
  `<svg class="${name}" viewBox="0 0 16 16" aria-hidden="true">${parts}</svg>`;

/** The demo's icon-lock. */
const MARK = drawing(
  '<path d="M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z" ' +
    'fill="currentColor"/><path d="M5 7.5V5a3 3 0 0 1 6 0v2.5" fill="none" ' +
    'stroke="currentColor" stroke-width="1.5"/>',
  'mark',
);
const THEME = `<button type="button" id="theme" class="tsd-widget" aria-label="Light or dark">${drawing(
  '<circle cx="8" cy="8" r="5.4" fill="none" stroke="currentColor" stroke-width="1.5"/>' +
    '<path d="M8 2.6a5.4 5.4 0 0 1 0 10.8z" fill="currentColor"/>',
)}</button>`;

/**
 * Names of options, also of those that two types make together.
 * @param {any} type
 * @returns {string[]}
 */
const membersOf = (type) => [
  ...(type.declaration?.children ?? []).map(({ name }) => name),
  ...(type.types ?? []).flatMap(membersOf),
];

class Theme extends DefaultTheme {
  /** @override */
  getRenderContext(page) {
    return new Context(this.router, this, page, this.application.options);
  }
}

/**
 * Returns the places of members that say again, word for word, what a member of the same name says.
 * The search finds it once: 85 layers have `frozen`, and would hide all else.
 * @param {readonly any[]} results
 */
const repeated = (results) => {
  const isCommon = (i) => /^(Layer|LayerConfig|Model)$/.test(results[i].parent?.name);
  const places = results.map((_, i) => i).sort((a, b) => isCommon(b) - isCommon(a));
  const said = new Set();
  const again = places.filter((i) => {
    const one = results[i];
    const { comment } =
      [one, one.getSignature, ...(one.signatures ?? [])].find((a) => a?.comment) ?? {};
    const text = comment?.summary.map((part) => part.text).join('');
    if (!text || !one.parent?.kindOf(ReflectionKind.ClassOrInterface)) return false;
    const key = `${one.name}: ${text}`;
    return said.has(key) || !said.add(key);
  });
  return again.sort((a, b) => a - b);
};

/**
 * @param {Application} app
 * @param {Header} header
 */
export const applyTheme = (app, header) => {
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => arrange(project), -1000);
  app.renderer.defineRouter('gradlock', routerFor(header));
  app.renderer.defineTheme('gradlock', Theme);
  app.renderer.on(IndexEvent.PREPARE_INDEX, (event) => {
    for (const i of repeated(event.searchResults).reverse()) event.removeResult(i);
    event.searchFieldWeights.members = 2;
    for (const [i, one] of event.searchResults.entries()) {
      if (one.isDeclaration() && one.kindOf(ReflectionKind.TypeAlias) && one.type) {
        event.searchFields[i].members = membersOf(one.type).join(' ');
      }
    }
  });
  // Nothing in line, so that a content security policy may forbid it.
  app.renderer.on(PageEvent.END, (page) => {
    const base = '../'.repeat(page.url.split('/').length - 1);
    const isPlain = /data-key="section-(Methods|Properties|Accessors)"/.test(page.contents ?? '');
    page.contents = page.contents
      // Where style.css hides the headings of the only groups, those of members follow the title.
      ?.replace(
        /<h3 (class="tsd-anchor-link" id="[^"]*">.*?)<\/h3>/g,
        isPlain ? '<h2 $1</h2>' : '$&',
      )
      .replace(
        /<script>document\.documentElement[\s\S]*?<\/script>/,
        `<script src="${base}assets/theme.js"></script>`,
      )
      // Of two things to press, one cannot lie in the other.
      .replace(
        /(<summary [^>]*data-key="section-.*?\s*.*?<h2[^>]*>[^<]*)<a .*?<\/a>(<\/h2>)/g,
        '$1$2',
      )
      .replace('<div class="col-content"', '<div class="col-content" role="main"')
      .replace(
        '<div class="page-menu"',
        '<div class="page-menu" role="navigation" aria-label="On this page"',
      )
      // A folder is no page where files are opened from a disk.
      .replaceAll(`href="${base}"`, `href="${base}index.html"`);
  });
};
