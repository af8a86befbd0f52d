export default {
  root: 'src',
  title: 'gradlock',
  pages: [],
  toc: false,
  pager: false,
  search: false,
  globalStylesheets: [], // no fonts from elsewhere
};
