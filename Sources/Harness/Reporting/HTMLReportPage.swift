/// The parts that every report page has: style, controls and script.
enum HTMLReportPage {
  static let style = """

    :root{color-scheme:light dark;--ground:#fff;--ink:#1f2328;--muted:#59636e;--edge:#d0d7de;--band:#f6f8fa;\
    --good:#1a7f37;--bad:#cf222e;--warn:#9a6700;--add:#dafbe1;--cut:#ffebe9}
    @media(prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--muted:#9198a1;--edge:#30363d;\
    --band:#161b22;--good:#3fb950;--bad:#ff6a62;--warn:#d29922;--add:#12361f;--cut:#481b1d}}
    *{box-sizing:border-box}
    body{margin:0;font:15px/1.5 system-ui,sans-serif;background:var(--ground);color:var(--ink)}
    header{padding:12px 20px 0;border-top:4px solid var(--good)}
    header.bad{border-top-color:var(--bad)}
    h1{font-size:18px;margin:0 0 8px}
    h2{font-size:14px;font-weight:600;margin:12px 0 4px}
    header p{margin:4px 0;color:var(--muted)}
    header p.problem{color:var(--bad)}
    form{display:flex;gap:4px 12px;flex-wrap:wrap;align-items:center;padding:8px 20px;position:sticky;top:0;z-index:1;\
    background:var(--ground);border-bottom:1px solid var(--edge)}
    input[type=search]{flex:1 1 16em;max-width:32em;font:inherit;padding:4px 8px;color:inherit;background:var(--ground);\
    border:1px solid var(--edge);border-radius:6px}
    label{white-space:nowrap}
    kbd{font:12px ui-monospace,monospace;border:1px solid var(--edge);border-radius:4px;padding:0 4px}
    .keys{color:var(--muted);font-size:13px}
    main{padding:8px 20px 40px;max-width:1100px}
    details,main>div{border-bottom:1px solid var(--edge);padding:6px 0;scroll-margin-top:84px}
    .title{margin:0;overflow-wrap:anywhere}
    summary{cursor:pointer}
    p.title{padding-left:1em}
    .title:focus-visible,input:focus-visible{outline:2px solid var(--warn);outline-offset:2px}
    .title b{display:inline-block;min-width:5.5em;font-weight:600;color:var(--muted)}
    .failed>.title b,.flaky>.title b{color:var(--bad)}
    .passed>.title b{color:var(--good)}
    .updated>.title b,.knownFlaky>.title b,.notReplayed>.title b{color:var(--warn)}
    .title span{color:var(--muted)}
    .title i{font-style:normal;font-size:12px;border:1px solid var(--edge);border-radius:9px;padding:0 7px;margin-left:6px}
    .title small{color:var(--muted);margin-left:8px}
    code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
    pre{background:var(--band);border:1px solid var(--edge);border-radius:6px;padding:10px;overflow-x:auto;margin:4px 0 12px}
    ins,del{text-decoration:none;display:inline-block;min-width:100%}
    ins{background:var(--add)}
    del{background:var(--cut)}
    ins b,del b{text-decoration:underline;text-underline-offset:3px}
    figure{margin:8px 0;overflow-x:auto}
    figure svg{max-width:max(100%,52em);height:auto}
    @media(max-width:700px){form{position:static}.keys+.keys{display:none}\
    details,main>div{scroll-margin-top:8px}}

    """

  static let controls = """
    <form role="search">
    <input id="filter" type="search" placeholder="Filter by path, words or tag" aria-label="Filter">
    <label><input id="wrong" type="checkbox"> only what needs a look</label>
    <span id="shown" class="keys" aria-live="polite"></span>
    <span class="keys"><kbd>/</kbd> filter <kbd>j</kbd> <kbd>k</kbd> next, previous <kbd>o</kbd> open <kbd>f</kbd> only wrong</span>
    </form>

    """

  static let script = """

    'use strict';
    const tests = [...document.querySelectorAll('main > :not(#nothing)')];
    const filter = document.getElementById('filter');
    const wrong = document.getElementById('wrong');
    const texts = tests.map(test => test.firstElementChild.textContent.toLowerCase());
    function show() {
      const words = filter.value.toLowerCase().split(/\\s+/);
      let count = 0;
      tests.forEach((test, index) => {
        const fits = words.every(word => texts[index].includes(word))
          && (!wrong.checked || !test.classList.contains('passed'));
        test.hidden = !fits;
        if (fits) count++;
      });
      document.getElementById('nothing').hidden = count > 0;
      document.getElementById('shown').textContent = count + ' of ' + tests.length;
    }
    function go(step) {
      const shown = tests.filter(test => !test.hidden);
      const now = shown.indexOf(document.activeElement.closest('main > :not(#nothing)'));
      const next = shown[now < 0 ? (step > 0 ? 0 : shown.length - 1) : now + step];
      if (!next) return;
      next.firstElementChild.focus({preventScroll: true});
      next.scrollIntoView({block: 'start'});
    }
    filter.addEventListener('input', show);
    wrong.addEventListener('change', show);
    document.querySelector('form').addEventListener('submit', event => event.preventDefault());
    document.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target === filter) {
        if (event.key === 'Escape') { filter.value = ''; show(); filter.blur(); }
        return;
      }
      if (event.key === '/') { filter.focus(); event.preventDefault(); }
      else if (event.key === 'j') go(1);
      else if (event.key === 'k') go(-1);
      else if (event.key === 'f') { wrong.checked = !wrong.checked; show(); }
      else if (event.key === 'o') {
        const test = document.activeElement.closest('main > :not(#nothing)');
        if (test) test.open = !test.open;
      }
    });
    show();

    """
}
