// Stylesheets are imported for the bundler, which writes them into webview.css.

declare module "*.css";
