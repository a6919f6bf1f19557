/** The look of the field. Colours are those of the browser, light or dark, unless a page sets its own. Nothing moves. */
export const STYLE = `
:host{display:block}
:host([hidden]),[hidden]{display:none}
fieldset{position:relative;margin:0;padding:0;border:0}
label,legend{display:block;padding:4px 0;font-weight:600}
input,select,button,ul{box-sizing:border-box;width:100%;border:1px solid var(--psgc-line,#767676);border-radius:var(--psgc-radius,8px);background:var(--psgc-paper,Field);color:var(--psgc-ink,FieldText);font:inherit}
input,select,button,li{min-height:44px;padding:9px 12px}
button{width:auto}
:focus-visible,[aria-selected=true]{outline:3px solid var(--psgc-focus,Highlight);outline-offset:-3px}
ul{position:absolute;z-index:9;max-height:50vh;margin:0;padding:0;overflow:auto}
li{display:block;box-sizing:border-box;cursor:pointer}
mark{background:none;color:inherit;font-weight:700}
[aria-invalid],.error{color:var(--psgc-danger,light-dark(#b00020,#ffb4ab))}
.quiet{position:absolute;clip-path:inset(50%)}`;
