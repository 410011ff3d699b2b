// Runs in gjs: one WebKitGTK view in an off-screen window, driven by JSON lines over a TCP connection.
// Arguments: the port to listen on, the port of the proxy that answers for the whole web.
/* global imports, ARGV, logError */
imports.gi.versions.Gtk = '3.0';
imports.gi.versions.Gdk = '3.0';
imports.gi.versions.WebKit2 = '4.1';
const { GLib, Gio } = imports.gi;
const { system } = imports;

/** An X server of our own: the view is never shown, but GTK wants a display. */
function startDisplay() {
  const { STDOUT_PIPE, STDERR_SILENCE } = Gio.SubprocessFlags;
  const words = ['Xvfb', '-displayfd', '1', '-screen', '0', '64x64x24', '-nolisten', 'tcp', '-nolisten', 'local'];
  const server = Gio.Subprocess.new(words, STDOUT_PIPE | STDERR_SILENCE);
  const [display] = new Gio.DataInputStream({ base_stream: server.get_stdout_pipe() }).read_line_utf8(null);
  if (display === null) throw new Error('Xvfb did not start.');
  GLib.setenv('DISPLAY', `:${display}`, true);
  return Number(display);
}

const display = startDisplay();
// Not before: GTK looks for its display as it is loaded.
const { Gtk, Gdk, WebKit2 } = imports.gi;
Gtk.init(null);

const [port, proxyPort] = ARGV.map(Number);
/** Cairo's limit for one picture is 32,767. */
const SNAPSHOT_PIXELS_MAX = 32_000;
const PIXELS_MAX = 64_000_000;
const { FINISHED } = WebKit2.LoadEvent;

function createContext() {
  const manager = WebKit2.WebsiteDataManager.new_ephemeral();
  manager.set_network_proxy_settings(
    WebKit2.NetworkProxyMode.CUSTOM,
    new WebKit2.NetworkProxySettings(`http://127.0.0.1:${proxyPort}`, []),
  );
  // The proxy's certificate is trusted by nobody, and nobody else can be reached.
  manager.set_tls_errors_policy(WebKit2.TLSErrorsPolicy.IGNORE);
  const context = new WebKit2.WebContext({ website_data_manager: manager });
  context.set_cache_model(WebKit2.CacheModel.DOCUMENT_VIEWER);
  return context;
}

// Without hinting WebKit places glyphs at fractions of a pixel, as Apple's does; otherwise every width is rounded up.
Object.assign(Gtk.Settings.get_default(), {
  gtk_xft_antialias: 1,
  gtk_xft_hinting: 0,
  gtk_xft_hintstyle: 'hintnone',
  gtk_xft_rgba: 'none',
  gtk_xft_dpi: 96 * 1024,
});

const settings = new WebKit2.Settings({
  enable_javascript: false,
  enable_page_cache: false,
  enable_dns_prefetching: false,
  enable_media: false,
  enable_webgl: false,
  enable_html5_local_storage: false,
  enable_html5_database: false,
  hardware_acceleration_policy: WebKit2.HardwareAccelerationPolicy.NEVER,
});
const view = new WebKit2.WebView({ web_context: createContext(), settings });
const offscreen = new Gtk.OffscreenWindow();
offscreen.add(view);
offscreen.show_all();

let documentUrl = 'about:blank';
// Navigation is what a document is not allowed: it stays at the address it was loaded from.
view.connect('decide-policy', (_view, decision, type) => {
  if (type === WebKit2.PolicyDecisionType.RESPONSE) return false;
  const uri = decision.get_navigation_action().get_request().get_uri();
  if (type === WebKit2.PolicyDecisionType.NAVIGATION_ACTION && uri === documentUrl) return false;
  decision.ignore();
  return true;
});
view.connect('web-process-terminated', () => system.exit(1));
view.connect('context-menu', () => true);

function once(object, signal, accept) {
  return new Promise((resolve) => {
    const id = object.connect(signal, (_object, ...values) => {
      if (!accept(...values)) return false;
      object.disconnect(id);
      resolve(values);
      return false;
    });
  });
}

async function resize(width, height) {
  view.set_size_request(width, height);
  offscreen.resize(width, height);
  const fits = () => view.get_allocated_width() === width && view.get_allocated_height() === height;
  if (!fits()) await once(view, 'size-allocate', fits);
}

async function load(url) {
  documentUrl = url;
  const finished = once(view, 'load-changed', (event) => event === FINISHED);
  view.load_uri(url);
  await finished;
  if (view.get_uri() !== url) throw new Error(`The view is at ${view.get_uri()}.`);
}

/** Runs a script of ours beside the document's own, which are off and stay off. */
async function evaluate(body) {
  settings.enable_javascript = true;
  try {
    const value = await new Promise((resolve, reject) => {
      view.call_async_javascript_function(body, -1, null, 'galley', null, null, (_view, result) => {
        try {
          resolve(view.call_async_javascript_function_finish(result));
        } catch (error) {
          reject(error);
        }
      });
    });
    return JSON.parse(value.to_string());
  } finally {
    settings.enable_javascript = false;
  }
}

/** Loads the document and brings it to rest; answers with what `measure` gives. */
async function open({ url, width, height, isDark, measure }) {
  Gtk.Settings.get_default().gtk_application_prefer_dark_theme = isDark;
  await resize(width, height);
  await load(url);
  return evaluate(measure);
}

function snapshot(region) {
  return new Promise((resolve, reject) => {
    view.get_snapshot(region, WebKit2.SnapshotOptions.NONE, null, (_view, result) => {
      try {
        resolve(view.get_snapshot_finish(result));
      } catch (error) {
        reject(error);
      }
    });
  });
}

/**
 * Writes RGBA rows to a file. The whole document, or what fits into one picture when it is larger, or what the view
 * shows.
 */
async function capture({ path, width, height, contentWidth, contentHeight, isScreen }) {
  const scale = view.get_scale_factor();
  const isWhole =
    !isScreen &&
    Math.max(contentWidth, contentHeight) * scale <= SNAPSHOT_PIXELS_MAX &&
    contentWidth * contentHeight * scale * scale <= PIXELS_MAX;
  if (!isWhole && !isScreen)
    await resize(
      width,
      Math.min(height, Math.floor(SNAPSHOT_PIXELS_MAX / scale), Math.floor(PIXELS_MAX / (width * scale * scale))),
    );
  const surface = await snapshot(isWhole ? WebKit2.SnapshotRegion.FULL_DOCUMENT : WebKit2.SnapshotRegion.VISIBLE);
  const pixels = { width: surface.getWidth(), height: surface.getHeight() };
  const pixbuf = Gdk.pixbuf_get_from_surface(surface, 0, 0, pixels.width, pixels.height);
  surface.$dispose?.();
  const stream = Gio.File.new_for_path(path).replace(null, false, Gio.FileCreateFlags.REPLACE_DESTINATION, null);
  stream.write_all(pixbuf.get_pixels(), null);
  stream.close(null);
  return { ...pixels, channels: pixbuf.get_n_channels(), rowBytes: pixbuf.get_rowstride() };
}

const COMMANDS = { open, capture };

async function answer({ id, name, argument }) {
  try {
    return { id, value: await COMMANDS[name](argument) };
  } catch (error) {
    return { id, error: String(error.message ?? error) };
  } finally {
    system.gc(); // it does not know how large a picture is
  }
}

function readLine(input) {
  return new Promise((resolve, reject) => {
    input.read_line_async(GLib.PRIORITY_DEFAULT, null, (_input, result) => {
      try {
        resolve(input.read_line_finish_utf8(result)[0]);
      } catch (error) {
        reject(error);
      }
    });
  });
}

async function converse(connection) {
  const output = connection.get_output_stream();
  const say = (message) => output.write_all(new TextEncoder().encode(`${JSON.stringify(message)}\n`), null);
  const input = new Gio.DataInputStream({ base_stream: connection.get_input_stream() });
  say({
    display,
    version: [WebKit2.get_major_version(), WebKit2.get_minor_version(), WebKit2.get_micro_version()].join('.'),
  });
  for (let line = await readLine(input); line !== null; line = await readLine(input))
    say(await answer(JSON.parse(line)));
  system.exit(0);
}

const service = new Gio.SocketService();
const { SocketType, SocketProtocol } = Gio;
service.add_address(
  Gio.InetSocketAddress.new_from_string('127.0.0.1', port),
  SocketType.STREAM,
  SocketProtocol.TCP,
  null,
);
service.connect('incoming', (_service, connection) => {
  service.stop(); // one master
  converse(connection).catch((error) => {
    logError(error);
    system.exit(1);
  });
  return true;
});
service.start();
Gtk.main();
