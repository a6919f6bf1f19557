/**
 * The look of the field. Colours are those of the browser, light or dark, unless a page sets its own. What is said has its line
 * from the first, so that nothing below moves from under a click.
 */
export const STYLE = `
:host{display:block}
*{box-sizing:border-box}
div{min-height:1lh}
:host([hidden]),[hidden]{display:none}
fieldset{position:relative;margin:0;padding:0;border:0}
label,legend{display:block;padding:4px 0;font-weight:600}
input,select,button,ul{width:100%;border:1px solid var(--psgc-line,#767676);border-radius:var(--psgc-radius,8px);background:var(--psgc-paper,Field);color:var(--psgc-ink,FieldText);font:inherit}
input,select,button,li{min-height:44px;padding:9px 12px}
button{width:auto}
:focus-visible,[aria-selected=true]{outline:3px solid var(--psgc-focus,Highlight);outline-offset:-3px}
ul{position:absolute;z-index:9;max-height:50vh;margin:0;padding:0;overflow:auto}
li{display:block;cursor:pointer}
mark{background:none;color:inherit;font-weight:700}
[aria-invalid],.error{color:var(--psgc-danger,light-dark(#b00020,#ffb4ab))}
.quiet{clip-path:inset(50%)}`;
