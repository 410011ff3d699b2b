// What the notes of the data mean, as literal messages: written from the notes' words, not from the rules.

import { css, html, inline, type NoteExpectation, type ProbeCase } from './probe-case.ts';

const goes = (...cases: ProbeCase[]) => cases;
const a = 'url("https://x.test/a.png")';
const b = 'url("https://x.test/b.png")';

const listOfLines = 'text-decoration:underline wavy #010203';
const positions = (went: string[], stayed: string[]): NoteExpectation => ({
  goes: went.map((value) => inline(`position:${value}`)),
  stays: stayed.map((value) => inline(`position:${value}`)),
});
const displays = (went: string[], stayed: string[]): NoteExpectation => ({
  goes: went.map((value) => inline(`display:${value}`)),
  stays: stayed.map((value) => inline(`display:${value}`)),
});
const becomes = (from: string, to: string, tag = 'div') => ({ ...inline(from, tag), after: `inline:${to}` });
const layers = (property: string, one: string, two: string): NoteExpectation => ({
  goes: goes(inline(`${property}:${one},${two}`)),
  stays: goes(inline(`${property}:${one}`)),
});

/** Notes about values, by feature and number. */
export const valueNoteProbes: Record<string, NoteExpectation> = {
  'css-animation#1': {
    goes: goes(css('@keyframes pulse{from{vertical-align:0}}', '@keyframes')),
    stays: goes(inline('animation:pulse 2s')),
  },
  'css-animation#2': {
    goes: goes(css('@keyframes pulse{50%{vertical-align:7px}from{vertical-align:0}}', '50%')),
    stays: goes(css('@keyframes pulse{50%{vertical-align:7px}from{vertical-align:0}}', 'from{')),
  },
  'css-at-keyframes#1': { goes: goes(css('@keyframes pulse{from{vertical-align:0}}', '@keyframes')) },
  'css-at-keyframes#2': {
    goes: goes(css('@keyframes pulse{50%{vertical-align:7px}to{vertical-align:0}}', '50%')),
    stays: goes(css('@keyframes pulse{50%{vertical-align:7px}to{vertical-align:0}}', 'to{')),
  },
  'css-background#1': layers('background', a, b),
  'css-background#2': {
    goes: goes(inline(`background:${a} center / cover`)),
    stays: goes(inline(`background:${a} center`)),
  },
  'css-background#3': {
    goes: goes(inline(`background:${a}`), {
      ...inline(`background:#010203 ${a} no-repeat`),
      needle: 'inline:background:#010203',
    }),
    stays: goes(inline('background:#010203')),
  },
  'css-background#4': {
    goes: goes(inline('background:url(https://x.test/a.png)')),
    stays: goes(inline(`background:${a}`)),
  },
  'css-background#5': layers('background', a, b),
  'css-background#6': {
    goes: goes(inline(`background:${a} center / cover`)),
    stays: goes(inline('background:#010203 center')),
  },
  'css-background#7': {
    goes: goes({ ...inline(`color:red;background:${a}`), needle: 'inline:color:red' }),
    stays: goes(inline('background:#010203')),
  },
  'css-background-color#1': {
    goes: goes(inline('background-color:tomato')),
    stays: goes(inline('background-color:navy'), inline('background-color:#010203')),
  },
  'css-background-image#3': layers('background-image', a, b),
  'css-background-image#4': {
    goes: goes(inline('background-image:url(https://x.test/a.png)')),
    stays: goes(inline(`background-image:${a}`)),
  },
  'css-background-image#6': {
    goes: goes({ ...inline(`color:red;background-image:${a}`), needle: 'inline:color:red' }),
    stays: goes(inline('color:red')),
  },
  'css-background-position#1': layers('background-position', 'left top', 'right bottom'),
  'css-background-repeat#1': layers('background-repeat', 'repeat-x', 'no-repeat'),
  'css-background-size#2': layers('background-size', 'cover', '7px 7px'),
  'css-border#1': {
    stays: goes(inline('border:8px solid #010203')),
    becomes: [
      becomes('border:20px solid #010203', 'border:8px solid #010203'),
      becomes('border-left-width:9px', 'border-left-width:8px'),
    ],
  },
  'css-border-inline-block-individual#1': {
    goes: goes(inline('border-inline-color:#010203'), inline('border-block-width:2px')),
    stays: goes(inline('border-inline-style:dotted')),
  },
  'css-border-radius#2': {
    goes: goes(inline('border-radius:27% 73% / 30% 34%')),
    stays: goes(inline('border-radius:27% 73%')),
  },
  'css-caption-side#1': {
    goes: goes(html('<table><caption>inside</caption></table>', 'caption')),
    stays: goes(inline('caption-side:bottom')),
  },
  'css-clear#1': {
    goes: goes(inline('clear:inline-start'), inline('clear:inline-end')),
    stays: goes(inline('clear:left')),
  },
  'css-clip-path#1': { goes: goes(inline('clip-path:path("M0 0L9 9")')), stays: goes(inline('clip-path:circle(40%)')) },
  'css-clip-path#2': { goes: goes(inline('clip-path:url("#clip")')), stays: goes(inline('clip-path:circle(40%)')) },
  'css-color-scheme#2': {
    goes: goes(css('p{color-scheme:dark}', 'color-scheme')),
    stays: goes(inline('color-scheme:dark')),
  },
  'css-cursor#1': { goes: goes(inline(`cursor:${a},auto`)), stays: goes(inline('cursor:pointer')) },
  'css-cursor#4': {
    goes: goes(inline('cursor:zoom-in'), inline('cursor:nesw-resize')),
    stays: goes(inline('cursor:wait'), inline('cursor:nw-resize')),
  },
  'css-cursor#5': { goes: goes(css('.one{cursor:pointer}', 'cursor')), stays: goes(inline('cursor:pointer')) },
  'css-cursor#6': {
    goes: goes(css('.one{cursor:pointer}', 'cursor'), inline('cursor:zoom-in'), inline('cursor:text')),
    stays: goes(inline('cursor:pointer')),
  },
  'css-display#2': displays(
    [
      'inline-flex',
      'inline-grid',
      'flex',
      'grid',
      'flow-root',
      'contents',
      'inline flow-root',
      'initial',
      'revert',
      'unset',
    ],
    ['block', 'inline-block', 'none', 'table-cell'],
  ),
  'css-display#3': { becomes: [becomes('display:block flow', 'display:block')] },
  'css-display#5': {
    goes: goes(inline('display:block'), inline('display:none', 'img')),
    stays: goes(inline('display:none')),
  },
  'css-display#6': displays(
    ['flow-root', 'inline-flex', 'inline-grid', 'inline flow', 'contents', 'revert'],
    ['flex', 'grid', 'block'],
  ),
  'css-display#7': { becomes: [becomes('display:inline flex', 'display:inline-flex')] },
  'css-display-flex#2': displays(['inline-flex'], ['flex']),
  'css-display-none#2': { goes: goes(inline('display:none', 'img')), stays: goes(inline('display:none')) },
  'css-filter#1': { goes: goes(inline('filter:grayscale(1) blur(2px)')), stays: goes(inline('filter:blur(2px)')) },
  'css-float#2': { goes: goes(inline('float:inline-start')), stays: goes(inline('float:right')) },
  'css-font-size#1': { goes: goes(inline('font-size:2rem')), stays: goes(inline('font-size:2em')) },
  'css-font-size#2': {
    goes: goes(inline('font-size:120%'), inline('font-size:larger')),
    stays: goes(inline('font-size:17px')),
  },
  'css-font-size-adjust#1': {
    goes: goes(inline('font-size-adjust:ex-height .5')),
    stays: goes(inline('font-size-adjust:.5')),
  },
  'css-font-size-adjust#3': { becomes: [becomes('font-size-adjust:ex-height .5', 'font-size-adjust:.5')] },
  'css-font-weight#1': {
    goes: goes(inline('font-weight:450')),
    stays: goes(inline('font-weight:400'), inline('font-weight:bold')),
  },
  'css-font-weight#2': {
    stays: goes(inline('font-weight:bold')),
    becomes: [becomes('font-weight:300', 'font-weight:normal'), becomes('font-weight:600', 'font-weight:bold')],
  },
  'css-function-light-dark#2': { becomes: [becomes('color:light-dark(#010203,rgb(4,5,6))', 'color:#010203')] },
  'css-gap#1': { goes: goes(inline('gap:7px'), inline('row-gap:7px')), stays: goes(inline('column-gap:7px')) },
  'css-gap#2': { goes: goes(inline('row-gap:7px')), stays: goes(inline('gap:7px'), inline('column-gap:7px')) },
  'css-height#1': { becomes: [becomes('height:77px', 'min-height:77px')] },
  'css-height#2': {
    goes: goes(
      inline('height:77px'),
      inline('height:77px', 'p'),
      inline('height:77px', 'span'),
      inline('height:77px', 'body'),
    ),
    stays: goes(inline('height:77px', 'td'), css('.one{height:7px}', '.one:not(:where(body,span,div,p)){height:7px}')),
  },
  'css-hyphenate-character#1': {
    goes: goes(inline('hyphenate-character:"\\2010"')),
    stays: goes(inline('hyphenate-character:"="')),
  },
  'css-important#1': { goes: goes(inline('color:red !IMPORTANT')), stays: goes(inline('color:red !important')) },
  'css-important#3': {
    goes: goes(inline('color:red!important'), { ...inline('color:red!important'), needle: 'inline:color:red' }),
    becomes: [becomes('color:red !important', 'color:red')],
  },
  'css-important#4': {
    goes: goes(css('p{color:red!important}', 'red')),
    stays: goes(css('p{color:red !important}', 'color:red!important')),
  },
  'css-important#5': {
    goes: goes(inline('color:red !important')),
    stays: goes(css('p{color:red !important}', 'color:red!important')),
  },
  'css-important#7': {
    goes: goes(inline(`background-image:${a}!important`)),
    stays: goes(inline(`background-image:${a} !important`), inline('color:red!important')),
  },
  'css-important#8': {
    becomes: [becomes('color:red !IMPORTANT', 'color:red')],
    stays: goes(inline('color:red !important')),
  },
  'css-important#9': {
    becomes: [becomes('color:red !important', 'color:red')],
    stays: goes(inline('color:red !Important')),
  },
  'css-intrinsic-size#1': {
    goes: goes(inline('width:max-content')),
    stays: goes(inline('width:min-content'), inline('width:fit-content')),
  },
  'css-left-right-top-bottom#1': {
    goes: goes(inline('left:7px'), inline('top:7px')),
    stays: goes(inline('right:7px')),
  },
  'css-left-right-top-bottom#2': { goes: goes(inline('left:7%')), stays: goes(inline('left:7px')) },
  'css-line-height#2': { goes: goes(inline('line-height:normal')), stays: goes(inline('line-height:1.5')) },
  'css-linear-gradient#3': {
    goes: goes(inline('background-image:linear-gradient(#010203,#fff)')),
    stays: goes(inline('background:linear-gradient(#010203,#fff)')),
  },
  'css-radial-gradient#2': {
    goes: goes(inline('background-image:radial-gradient(#010203,#fff)')),
    stays: goes(inline('background:radial-gradient(#010203,#fff)')),
  },
  'css-list-style#1': { goes: goes(inline(`list-style:square ${a}`)), stays: goes(inline('list-style:square inside')) },
  'css-list-style#2': {
    stays: goes(inline('list-style:square')),
    becomes: [becomes(`list-style:square inside ${a}`, 'list-style:square')],
  },
  'css-list-style#3': {
    stays: goes(inline('list-style:square inside')),
    becomes: [becomes(`list-style:square inside ${a}`, 'list-style:square inside')],
  },
  'css-list-style#4': { goes: goes(inline(`list-style:square ${a}`)), stays: goes(inline('list-style:square inside')) },
  'css-margin#1': {
    goes: goes(inline('margin:-7px'), inline('margin-top:-7px'), inline('margin:1px -7px')),
    stays: goes(inline('margin-top:7px')),
  },
  'css-margin#2': {
    goes: goes(inline('margin:7px', 'span'), inline('margin-left:7px', 'body')),
    stays: goes(inline('margin:7px', 'p')),
  },
  'css-margin#4': {
    goes: goes(inline('margin-left:auto')),
    stays: goes(inline('margin-left:7px')),
    becomes: [becomes('margin:7px auto', 'margin:7px 0')],
  },
  'css-max-width#1': {
    goes: goes(inline('max-width:77px')),
    stays: goes(inline('max-width:77px', 'table'), css('.one{max-width:7px}', '.one:where(table){max-width:7px}')),
  },
  'css-max-width#2': { goes: goes(inline('max-width:77px', 'table')), stays: goes(inline('max-width:77px')) },
  'css-modern-color#2': {
    goes: goes(
      { ...inline('vertical-align:7px;color:lab(50% 20 30)'), needle: 'inline:vertical-align:7px' },
      css('p{color:lab(50% 20 30)}', 'lab('),
    ),
  },
  'css-overflow#4': {
    goes: goes(inline('overflow-block:hidden'), inline('overflow-inline:hidden')),
    stays: goes(inline('overflow:hidden'), inline('overflow-x:hidden')),
  },
  'css-padding#1': {
    goes: goes(inline('padding:7px'), inline('padding-left:7px', 'p')),
    stays: goes(
      inline('padding:7px', 'td'),
      css('.one{padding:7px;vertical-align:3px}', '.one:where(td,th){padding:7px}'),
      css('.one{padding:7px;vertical-align:3px}', '.one{vertical-align:3px}'),
    ),
  },
  'css-position#1': positions(['sticky'], ['relative', 'absolute']),
  'css-position#2': positions(['relative', 'absolute', 'fixed'], ['sticky']),
  'css-position#3': positions(['absolute', 'sticky', 'fixed'], ['relative']),
  'css-position#4': positions(['absolute', 'fixed'], ['relative', 'sticky']),
  'css-position#6': { becomes: [becomes('position:fixed', 'position:absolute')] },
  'css-resize#2': { goes: goes(inline('resize:inline')), stays: goes(inline('resize:both')) },
  'css-rgb#1': { goes: goes(inline('color:rgb(1 2 3)')), stays: goes(inline('color:rgb(1,2,3)')) },
  'css-rgb#2': { goes: goes(inline('color:rgb(1,2,3,.5)')), stays: goes(inline('color:rgb(1,2,3)')) },
  'css-rgb#3': {
    goes: goes(
      { ...inline('vertical-align:7px;color:rgb(1 2 3)'), needle: 'inline:vertical-align:7px' },
      css('b{vertical-align:7px}p{color:rgb(1 2 3)}', 'vertical-align:7px'),
    ),
    stays: goes(inline('color:rgb(1,2,3)')),
  },
  'css-rgba#1': { goes: goes(inline('color:rgba(1 2 3 / .5)')), stays: goes(inline('color:rgba(1,2,3,.5)')) },
  'css-rgba#2': {
    goes: goes(
      { ...inline('vertical-align:7px;color:rgba(1 2 3 / .5)'), needle: 'inline:vertical-align:7px' },
      css('b{vertical-align:7px}p{color:rgba(1 2 3 / .5)}', 'vertical-align:7px'),
    ),
    stays: goes(inline('color:rgba(1,2,3,.5)')),
  },
  'css-sytem-ui#1': {
    goes: goes(inline('font-family:ui-serif')),
    stays: goes(inline('font-family:system-ui,serif')),
    becomes: [becomes('font-family:ui-rounded,system-ui,serif', 'font-family:system-ui,serif')],
  },
  'css-text-align#1': {
    goes: goes(inline('text-align:start'), inline('text-align:end')),
    stays: goes(inline('text-align:right')),
  },
  'css-text-align#3': { goes: goes(inline('text-align:match-parent')), stays: goes(inline('text-align:right')) },
  'css-text-decoration#2': {
    goes: goes(inline('text-decoration:underline line-through')),
    stays: goes(inline('text-decoration:line-through')),
  },
  'css-text-decoration#3': {
    goes: goes(inline('text-decoration:overline')),
    stays: goes(inline('text-decoration:underline')),
  },
  'css-text-decoration#4': {
    stays: goes(inline('text-decoration:underline')),
    becomes: [becomes(listOfLines, 'text-decoration:underline')],
  },
  'css-text-decoration#5': {
    stays: goes(inline('text-decoration:underline'), inline('text-decoration-style:wavy')),
    becomes: [becomes(listOfLines, 'text-decoration:underline')],
  },
  'css-text-decoration-color#1': {
    goes: goes(inline('text-decoration-color:#010203')),
    stays: goes(inline('-webkit-text-decoration-color:#010203')),
  },
  'css-text-decoration-thickness#1': {
    goes: goes(inline('text-decoration-thickness:3px')),
    stays: goes(inline('-webkit-text-decoration-thickness:3px')),
  },
  'css-text-indent#1': { goes: goes(inline('text-indent:-7px')), stays: goes(inline('text-indent:7px')) },
  'css-text-indent#2': { goes: goes(inline('text-indent:-7px')), stays: goes(inline('text-indent:calc(-1 * 7px)')) },
  'css-text-justify#3': {
    goes: goes(inline('text-justify:inter-word')),
    stays: goes(inline('text-justify:inter-character')),
  },
  'css-text-justify#4': {
    goes: goes(inline('text-justify:inter-character')),
    stays: goes(inline('text-justify:distribute')),
  },
  'css-text-orientation#1': {
    goes: goes(inline('text-orientation:sideways')),
    stays: goes(inline('text-orientation:upright')),
  },
  'css-text-transform#1': {
    goes: goes(inline('text-transform:lowercase')),
    stays: goes(inline('text-transform:uppercase')),
  },
  'css-text-underline-position#1': {
    goes: goes(inline('text-underline-position:left')),
    stays: goes(inline('text-underline-position:under')),
  },
  'css-transition#1': { goes: goes(inline('transition-duration:1s')), stays: goes(inline('transition:opacity 1s')) },
  'css-transition#2': { goes: goes(inline('transition:all 1s')), stays: goes(inline('transition:opacity 1s')) },
  'css-unit-vh#2': { becomes: [becomes('vertical-align:50vh', 'vertical-align:0px')] },
  'css-unit-vmax#2': { becomes: [becomes('vertical-align:50vmax', 'vertical-align:0px')] },
  'css-unit-vmin#2': { becomes: [becomes('vertical-align:.5vmin', 'vertical-align:0px')] },
  'css-user-select#2': {
    goes: goes(inline('user-select:all'), inline('-webkit-user-select:all')),
    stays: goes(inline('user-select:text')),
  },
  'css-user-select#4': { goes: goes(inline('user-select:none')), stays: goes(inline('user-select:text')) },
  'css-variables#1': { goes: goes(inline('--probe:7px')), stays: goes(inline('vertical-align:var(--probe,7px)')) },
  'css-visibility#2': { goes: goes(inline('visibility:collapse')), stays: goes(inline('visibility:hidden')) },
  'css-white-space#2': { goes: goes(inline('white-space:pre')), stays: goes(inline('white-space:pre-wrap')) },
  'css-width#1': {
    goes: goes(inline('width:77px'), inline('width:77px', 'img'), inline('width:77px', 'body')),
    stays: goes(inline('width:77px', 'table'), inline('width:77px', 'td')),
  },
  'css-word-break#3': { goes: goes(inline('word-break:keep-all')), stays: goes(inline('word-break:break-all')) },
  'css-word-break#4': { becomes: [becomes('word-break:break-all', 'word-break:break-word')] },
  'css-word-spacing#1': {
    goes: goes(inline('word-spacing:1rem'), inline('word-spacing:1ch')),
    stays: goes(inline('word-spacing:1em')),
  },
};
