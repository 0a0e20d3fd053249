package dev.ratelimit.http.matrix;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Creates forms of requests that servers, frameworks, and applications may interpret
 * differently.
 */
final class Shapes {

	private static final String FORM = "application/x-www-form-urlencoded";

	private static final String MULTIPART = "multipart/form-data; boundary=x";

	private static final String ORIGIN = "Origin: https://page.example";

	private static final String ASKS = "Access-Control-Request-Method: GET";

	private static final String WITH_CREDENTIALS = "management with credentials";

	private Shapes() {
	}

	static List<Shape> all() {
		return Stream
			.of(methods(), paths(), headers(), preflights(), management(), bodies(), numbers(), keys(), dispatches(),
					exempt())
			.flatMap(List::stream)
			.toList();
	}

	/**
	 * Return forms for a context path, with a management port and forwarding headers.
	 * @param path the context path
	 * @return the forms
	 */
	static List<Shape> below(String path) {
		return Stream
			.of(Stream.of(paths(), management(), preflights())
				.flatMap(List::stream)
				.filter((shape) -> !shape.target().contains("/actuator/health/.."))
				.map((shape) -> shape.under(path))
				.map(Shapes::withoutManagement), spelled(path), forwarded(path))
			.flatMap((shapes) -> shapes)
			.toList();
	}

	// Management endpoints have a separate port.
	private static Shape withoutManagement(Shape shape) {
		return shape.exempt((shape.method().equals("OPTIONS") && !shape.exemption().isEmpty()) ? "preflight" : "", "");
	}

	private static Stream<Shape> spelled(String path) {
		String name = path.substring(1);
		return Stream
			.of("/target/1", path, path + "/", "/" + path + "/target/1", path + "//target/1", path + ";x=y/target/1",
					"/%61" + name.substring(1) + "/target/1", "/./" + name + "/target/1", "/x/.." + path + "/target/1",
					path + "/x/../target/1", path + "/../" + name + "/target/1", path + path + "/target/1",
					"/" + name.toUpperCase(java.util.Locale.ROOT) + "/target/1", path + "%2Ftarget/1",
					path + "/..;" + path + "/target/1")
			.map(Shape::get);
	}

	private static Stream<Shape> forwarded(String path) {
		return Stream
			.of("X-Forwarded-Prefix: /other", "X-Forwarded-Prefix: " + path, "X-Forwarded-Prefix: /",
					"X-Forwarded-Prefix: ", "X-Forwarded-Prefix: /a, /b", "X-Forwarded-Prefix: /actuator",
					"X-Forwarded-Host: other.example", "X-Forwarded-Proto: https", "X-Forwarded-Port: 99999",
					"X-Forwarded-Proto: ://", "Forwarded: for=192.0.2.1;host=x;proto=https")
			.flatMap((line) -> Stream.of(Shape.get(path + "/target/1", line), Shape.get(path + "//target/1", line),
					Shape.get(path + "/target/../target/1", line)));
	}

	private static List<Shape> methods() {
		Stream<Shape> plain = Stream
			.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "QUERY",
					"BREW", "get", "Get", "options", "HEAD2", "*")
			.map((method) -> Shape.of(method, "/target/1"));
		Stream<Shape> narrow = Stream.of("HEAD", "POST", "OPTIONS", "DELETE", "BREW")
			.map((method) -> Shape.of(method, "/target/only/get"));
		Stream<Shape> overriding = Stream.of("OPTIONS", "DELETE", "TRACE", "GET", "delete", "BREW")
			.flatMap((method) -> Stream.of(Shape.of("POST", "/target/1", "X-HTTP-Method-Override: " + method),
					Shape.of("GET", "/target/1", "X-HTTP-Method: " + method, "X-Method-Override: " + method),
					Shape.of("POST", "/target/1?_method=" + method), Shape.post("/target/1", FORM, "_method=" + method),
					Shape.post("/target/1", FORM, "_method=" + method, ORIGIN, ASKS)));
		return Stream.of(plain, narrow, overriding, Stream.of(Shape.of("OPTIONS", "*")))
			.flatMap((shapes) -> shapes)
			.toList();
	}

	private static List<Shape> paths() {
		return Stream.of("/target/1", "//target/1", "///target///1", "/target//1", "/target/1/", "/target/1//",
				"/target/1;x=y", "/target;x=y/1", "/;x=y/target/1", "/target/;/1", "/target/1;", "/target/1%3Bx=y",
				"/x/../target/1", "/x/..;/target/1", "/./target/1", "/target/./1", "/target/../target/1", "/target/1/.",
				"/target/1/x/..", "/%2e/target/1", "/x/%2e%2e/target/1", "/x/%2E%2e/target/1", "/x/.%2e/target/1",
				"/..%2ftarget/1", "/x/..%2ftarget%2f1", "/%74arget/1", "/t%61rget/%31", "/%2574arget/1", "/target%2F1",
				"/target%2f1", "/%2Ftarget/1", "/target/1%2F", "/target%5C1", "/target\\1", "\\target\\1",
				"/target%252F1", "/TARGET/1", "/Target/1", "/tar%C5%BFget/1", "/target/1%00", "/target%00/1",
				"/target/1%20", "/%20target/1", "/target/%0a", "/target/1%zz", "/target/%zz", "/target/%",
				"/target/%c0%ae%c0%ae", "/target/%c3%a9", "/target/\u00e9", "/target/1?x=/../y", "/target/1??",
				"/target/1?&&=&a", "/target/1?%zz", "/target/1#part", "/target/1?#", "/target/.1", "/target/..1",
				"/target/1.json", "/target/*", "/target/{id}", "/target/**", "/target", "/target/", "/", "/nothing",
				"/error", "/favicon.ico", "/index.html", "/target/only/get", "/target/only/get/", "/target/only//get",
				"/target/only%2Fget", "/target/only;a=b/get", "/keyed/../target/1", "/exempt/../target/1",
				"/exempt/..%2ftarget/1", "/target/" + "a".repeat(3000), "http://localhost/target/1",
				"http://localhost//target/1", "http://other.example/target/1", "http://localhost/x/../target/1",
				"http://localhost", "https://user:word@localhost/target/1", "HTTP://LOCALHOST/target/1",
				"http:///target/1", "target/1", "?x", "//localhost/target/1", "http://localhost:1/target/1?x#y")
			.map(Shape::get)
			.toList();
	}

	private static List<Shape> headers() {
		Stream<Shape> lines = Stream
			.of("Upgrade: websocket", "Upgrade: h2c", "Upgrade: TLS/1.0", "Upgrade: ", "Upgrade: websocket, h2c",
					"Accept: text/event-stream", "Accept: nonsense", "Accept: ", "Accept: */*;q=0", "Accept: image/png",
					"Accept: text/html", "Accept-Encoding: gzip", "Expect: 100-continue", "Expect: 200-ok", "Expect: ",
					"Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: none", "Sec-Fetch-Mode: cors",
					"Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: document", "Sec-Purpose: prefetch", "Purpose: prefetch",
					"X-Moz: prefetch", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For: ",
					"X-Forwarded-For: unknown, , _x", "X-Forwarded-For: 192.0.2.1,127.0.0.1,::1",
					"X-Real-IP: 127.0.0.1", "Forwarded: for=127.0.0.1", "X-Forwarded-Prefix: /actuator/health",
					"X-Forwarded-Host: localhost:1", "X-Original-URL: /actuator/health",
					"X-Rewrite-URL: /actuator/health", "X-Envoy-Original-Path: /x", "Host: actuator", "Host: ",
					"Host: localhost:0", "Origin: null", "Origin: https://other.example", "Origin: ", ASKS,
					"Access-Control-Request-Headers: x", "Cookie: SESSION=1", "Cookie: ", "Range: bytes=0-0",
					"If-None-Match: *", "If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT", "If-Match: \"x\"",
					"Content-Length: 0", "Content-Encoding: gzip", "TE: trailers", "Via: 1.1 x",
					"User-Agent: kube-probe/1.30", "User-Agent: ELB-HealthChecker/2.0", "Max-Forwards: 0",
					"Idempotency-Key: x", "Authorization: ", "Authorization: Basic", "Authorization: Basic !",
					"Authorization: {right}", "Authorization: bearer x", "authorization: {wrong}",
					"Proxy-Authorization: {right}", "X: " + "x".repeat(4000))
			.map((line) -> Shape.get("/target/1", line))
			.map((shape) -> (shape.lines().toLowerCase(java.util.Locale.ROOT).startsWith("authorization"))
					? shape.alone() : shape);
		return Stream
			.concat(lines,
					Stream.of(
							Shape.get("/target/1", "Connection: Upgrade, close", "Upgrade: websocket",
									"Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
							Shape.get("/target/1", "Connection: Upgrade, HTTP2-Settings, close", "Upgrade: h2c",
									"HTTP2-Settings: AAMAAABkAAQAAP__"),
							Shape.get("/target/async/events", "Accept: text/event-stream"),
							Shape.get("/target/1", "Authorization: {right}", "Authorization: {wrong}").alone(),
							Shape.get("/target/1", "Authorization: {wrong}", "Authorization: {right}").alone(),
							Shape.get("/target/1", "Host: localhost", "Host: other.example"),
							Shape.get("/target/1", "X-Folded: a", " b"), Shape.get("/target/1", "No-Colon"),
							Shape.get("/target/1", "Connection: close, X-Client, X-Forwarded-For, Authorization"),
							Shape.get("/target/1").version("HTTP/1.0"), Shape.get("/target/1").version("HTTP/0.9"),
							Shape.get("/target/1").version("HTTP/2.0"), Shape.get("/target/1").version("HTTP/1.2")))
			.toList();
	}

	private static List<Shape> preflights() {
		Shape preflight = Shape.of("OPTIONS", "/target/1", ORIGIN, ASKS);
		Stream<Shape> exempt = Stream
			.of(preflight, Shape.of("OPTIONS", "/nothing", ORIGIN, ASKS), Shape.of("OPTIONS", "/keyed", ORIGIN, ASKS),
					Shape.of("OPTIONS", "/target/1?x=y&token=1", ORIGIN, ASKS),
					Shape.of("OPTIONS", "/numbers/parameter?n=500", ORIGIN, ASKS),
					Shape.of("OPTIONS", "/target/1/", ORIGIN, ASKS), preflight.with("Content-Length: 0"),
					Shape.of("OPTIONS", "/target/1", "Origin: null", "Access-Control-Request-Method: "),
					Shape.of("OPTIONS", "/target/1", "Origin: ", "Access-Control-Request-Method: BREW"),
					preflight.with("Access-Control-Request-Headers: authorization"),
					preflight.with("Sec-Fetch-Mode: cors"), preflight.with(ASKS), preflight.with("Accept: */*"),
					preflight.with("X-Key: a"), preflight.with("X-HTTP-Method-Override: GET"))
			.map((shape) -> shape.exempt("preflight", ""));
		Stream<Shape> counted = Stream.of(Shape.of("OPTIONS", "/target/1", ORIGIN),
				Shape.of("OPTIONS", "/target/1", ASKS), Shape.get("/target/1", ORIGIN, ASKS),
				Shape.of("HEAD", "/target/1", ORIGIN, ASKS), Shape.of("POST", "/target/1", ORIGIN, ASKS),
				Shape.of("options", "/target/1", ORIGIN, ASKS), Shape.of("Options", "/target/1", ORIGIN, ASKS),
				Shape.of("OPTIONSX", "/target/1", ORIGIN, ASKS),
				Shape.of("OPTIONS", "/target/1", "X-Origin: https://page.example", ASKS),
				preflight.with("Cookie: SESSION=1"), preflight.with("Cookie: "),
				preflight.with("Authorization: ").alone(), preflight.with("Authorization: {right}").alone(),
				preflight.with("authorization: {wrong}").alone(),
				preflight.with("Authorization: {wrong}").with("Authorization: {right}").alone(),
				preflight.with("Proxy-Authorization: {right}"), preflight.with("Content-Type: " + FORM).content("a=b"),
				preflight.with("Transfer-Encoding: chunked").content("0\r\n\r\n"),
				preflight.with("Transfer-Encoding: chunked").content("3\r\na=b\r\n0\r\n\r\n"),
				preflight.with("Transfer-Encoding: identity"), preflight.with("Content-Length: 00"),
				Shape.of("OPTIONS", "/keyed", ORIGIN, ASKS, "X-Key: a"),
				Shape.of("OPTIONS", "/keyed", ORIGIN, ASKS, "X-Key: "));
		return Stream.concat(exempt, counted).toList();
	}

	private static List<Shape> management() {
		Stream<Shape> health = Stream
			.of(Shape.get("/actuator/health"), Shape.of("HEAD", "/actuator/health"),
					Shape.of("POST", "/actuator/health"), Shape.of("OPTIONS", "/actuator/health", ORIGIN, ASKS),
					Shape.get("/actuator/health?x=/target/1"), Shape.get("/actuator/health", "Cookie: SESSION=1"),
					Shape.get("/actuator/health/nothing"))
			.map((shape) -> shape.exempt("health", WITH_CREDENTIALS));
		Stream<Shape> others = Stream
			.of(Shape.get("/actuator/info"), Shape.get("/actuator"), Shape.get("/actuator/ratelimit"),
					Shape.of("POST", "/actuator/info"), Shape.of("OPTIONS", "/actuator/info", ORIGIN, ASKS))
			.map((shape) -> shape.exempt("management", WITH_CREDENTIALS));
		Stream<Shape> counted = Stream
			.of("//actuator/health", "/actuator/health/", "/actuator//health", "/ACTUATOR/health", "/actuator%2Fhealth",
					"/%61ctuator/health", "/actuator/nothing", "/actuatorx", "/x/../actuator/health",
					"/actuator/../target/1", "/actuator/health/../../target/1", "/actuator/health/..%2f..%2ftarget%2f1",
					"/actuator/health/%2e%2e/%2e%2e/target/1", "/actuator/..;/target/1", "/target/../actuator/health")
			.map(Shape::get)
			// Servers may serve a management endpoint at this path, which a rule may
			// still count.
			.filter((shape) -> !shape.target().equals("/actuator/health/"));
		return Stream.of(health, others, counted).flatMap((shapes) -> shapes).toList();
	}

	private static List<Shape> bodies() {
		String part = "--x\r\nContent-Disposition: form-data; name=\"username\"\r\n\r\nann\r\n--x--\r\n";
		return List.of(Shape.post("/form", FORM, "username=ann&password=x"),
				Shape.post("/form?username=bob", FORM, "username=ann"), Shape.post("/form?username=bob", FORM, "x=y"),
				Shape.post("/form", FORM, "username=ann&username=bob"), Shape.post("/form", FORM, "username="),
				Shape.post("/form", FORM, "x=y"), Shape.post("/form", FORM, "username"),
				Shape.post("/form", FORM, "x=y&z=1", "Username: ann"),
				Shape.post("/form", FORM, "x=y&z=1", "user-name: ann"), Shape.post("/form", FORM, "%75sername=ann"),
				Shape.post("/form", FORM, "username=%zz"), Shape.post("/form", FORM, "username[]=ann"),
				Shape.post("/form", FORM, "username%5B%5D=ann"), Shape.post("/form", FORM, "!username=ann"),
				Shape.post("/form", FORM, "Username=ann"), Shape.post("/form", FORM, "username[0]=ann"),
				Shape.post("/form", FORM, "_username=ann"), Shape.post("/form", FORM, "username=ann;x=y"),
				Shape.post("/form", FORM, "{\"username\":\"ann\"}"),
				Shape.post("/form", FORM + "; charset=UTF-16", "username=ann"),
				Shape.post("/form", FORM + "; charset=nonsense", "username=ann"),
				Shape.post("/form", FORM.toUpperCase(java.util.Locale.ROOT), "username=ann"),
				Shape.post("/form", FORM + ";", "username=ann"), Shape.post("/form", "nonsense", "username=ann"),
				Shape.post("/form", "", "username=ann"), Shape.post("/form", "application/json", "{}"),
				Shape.post("/form", MULTIPART, part), Shape.post("/form", "multipart/form-data", part),
				Shape.post("/form", "multipart/mixed; boundary=x", part),
				Shape.post("/form", "Multipart/Form-Data; boundary=\"x\"", part),
				Shape.post("/form", MULTIPART, "--x--\r\n"), Shape.post("/form", MULTIPART, "x"),
				Shape.of("POST", "/form?username=ann"), Shape.of("POST", "/form", "Content-Length: 0"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Transfer-Encoding: chunked")
					.content("c\r\nusername=ann\r\n0\r\n\r\n"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Transfer-Encoding: chunked")
					.content("c;x=y\r\nusername=ann\r\n0\r\nX-Trailer: 1\r\n\r\n"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Content-Length: 12", "Transfer-Encoding: chunked")
					.content("c\r\nusername=ann\r\n0\r\n\r\n"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Content-Length: 12", "Content-Length: 12")
					.content("username=ann"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Content-Length: +12").content("username=ann"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Content-Length: -1").content("username=ann"),
				Shape.of("POST", "/form", "Content-Type: " + FORM, "Expect: 100-continue").content("username=ann"),
				Shape.of("GET", "/target/1", "Content-Type: " + FORM).content("username=ann"),
				Shape.post("/target/only/json", "application/json", "{\"a\":1}"),
				Shape.post("/target/only/json", "application/json", "{"), Shape.post("/target/only/json", FORM, "a=b"),
				Shape.post("/target/only/json", "application/json", "{}", "Accept: text/html"));
	}

	private static List<Shape> numbers() {
		List<String> spellings = List.of("500", "0500", "0000000000000000000500", "+500", "-500", "%2B500", "%20500",
				"500%20", "+500+", "0x1F4", "%230x1F4", "0764", "5e2", "500.0", "5_00", "500L",
				"%EF%BC%95%EF%BC%90%EF%BC%90", "%D9%A5%D9%A0%D9%A0", "500,1", "1,500", "", "%00500", "500%00",
				"9223372036854775807", "9223372036854775808", "-9223372036854775808", "%35%30%30", "5%300", "%0a500",
				"#500", "zz");
		Stream<Shape> query = spellings.stream().map((text) -> Shape.get("/numbers/parameter?n=" + text));
		Stream<Shape> repeated = Stream
			.of("n=1&n=500", "n=500&n=1", "n=&n=500", "n=500&n=", "n&n=500", "%6E=500", "%6e=1&n=500", "N=500",
					"n[]=500", "n%5B%5D=500", "n.x=500", ";n=500", "x;n=500", "n=1;n=500", "+n=500", "n+=500", "_n=500",
					"!n=500")
			.map((parameters) -> Shape.get("/numbers/parameter?" + parameters));
		Stream<Shape> bound = Stream
			.of("n=500", "n=1&n=500", "n[]=500", "n%5B%5D=500", "n[0]=500", "!n=500", "%21n=500", "_n=500", "n.=500",
					"!n[]=500", "n=&!n=500", "n=1&!n=500", "N=500", ".n=500", "_n=1&!n=500", "_n[]=500",
					"n[]=1&n[]=500", "n[]=&!n=500")
			.flatMap((parameters) -> Stream.of(Shape.get("/numbers/bound?" + parameters),
					Shape.get("/numbers/constructed?" + parameters)));
		Stream<Shape> form = Stream.of("n=500", "n=1&n=500", "n=0x1F4", "%6e=500", "n=")
			.flatMap((fields) -> Stream.of(Shape.post("/numbers/parameter", FORM, fields),
					Shape.post("/numbers/parameter?n=1", FORM, fields),
					Shape.post("/numbers/parameter?n=", FORM, fields),
					Shape.post("/numbers/parameter", "multipart/form-data; boundary=x",
							"--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n"
									+ fields.substring(fields.indexOf('=') + 1) + "\r\n--x--\r\n"),
					Shape.of("PUT", "/numbers/parameter", "Content-Type: " + FORM).content(fields)));
		Stream<Shape> boundForm = Stream.of("/numbers/bound", "/numbers/constructed", "/numbers/bound?n=1")
			.flatMap((target) -> Stream.of(Shape.post(target, FORM, "n=500"), Shape.post(target, FORM, "!n=500"),
					Shape.post(target, "multipart/form-data; boundary=x",
							"--x\r\nContent-Disposition: form-data; name=\"n\"\r\n\r\n500\r\n--x--\r\n")));
		// Data binding reads headers for names without a parameter.
		Stream<Shape> bindable = Stream.of("N: 500", "n: 500", "N-: 500", "-n: 500", "!n: 500", "n[0]: 500", "n.: 500")
			.flatMap((line) -> Stream.of("", "?n=", "?n=1", "?_n=1", "?x=1")
				.flatMap((end) -> Stream.of(Shape.get("/numbers/bound" + end, line),
						Shape.get("/numbers/constructed" + end, line))));
		Stream<Shape> headers = Stream
			.of("500", " 500", "500 ", "\t500", "0x1F4", "+500", "0500", "5e2", "500,1", "1,500", "",
					"00000000000000000500", "zz", "\"500\"", "#1F4")
			.map((text) -> Shape.get("/numbers/header", "X-N: " + text));
		return Stream
			.of(query, repeated, bound, form, boundForm, bindable, headers,
					Stream.of(Shape.get("/numbers/header", "X-N: 1", "X-N: 500"),
							Shape.get("/numbers/header", "X-N: 500", "X-N: 1"),
							Shape.get("/numbers/header", "X-N: ", "X-N: 500"), Shape.get("/numbers/header", "x-n: 500"),
							Shape.get("/numbers/header", "X-N:500")))
			.flatMap((shapes) -> shapes)
			.map(Shape::alone)
			.toList();
	}

	private static List<Shape> keys() {
		List<String> lines = List.of("X-Key: a", "X-Key: ", "X-Key: a, b", "x-key: a", "X-Key: {}|%", "X-Key: \u00e9",
				"X-Key: " + "a".repeat(2000));
		Stream<Shape> headers = lines.stream().map((line) -> Shape.get("/keyed", line));
		Stream<Shape> parameters = Stream
			.of("k=a", "k=", "k", "k=a&k=b", "k=&k=b", "%6b=a", "K=a", "k=%zz", "k=%00", "k=a;b", "&&k=a", "k=a+b",
					"k[]=a", "k%5B%5D=a", "k[]=a&k[]=b", "k[]=&k[]=b", "!k=a", "k[0]=a")
			.map((query) -> Shape.get("/keyed?" + query));
		return Stream
			.of(headers, parameters,
					Stream.of(Shape.get("/keyed"), Shape.get("/keyed", "X-Key: a", "X-Key: b"),
							Shape.get("/keyed", "X-Key: ", "X-Key: b")))
			.flatMap((shapes) -> shapes)
			.map(Shape::alone)
			.toList();
	}

	private static List<Shape> dispatches() {
		Stream<Shape> both = Stream
			.of("/target/async/future", "/target/async/failed", "/target/async/mono", "/target/async/lines",
					"/target/async/events", "/target/error/thrown", "/target/error/status", "/target/error/answered")
			.flatMap((path) -> Stream.of(Shape.get(path), Shape.of("HEAD", path), Shape.get(path, "Accept: text/html"),
					Shape.of("POST", path)));
		Stream<Shape> servlet = Stream.of(Shape.get("/target/async/callable"), Shape.get("/target/async/overdue"),
				Shape.get("/target/error/sent"), Shape.get("/forward/target").exempt("dispatch", "dispatch"),
				Shape.of("HEAD", "/forward/target").exempt("dispatch", "dispatch"),
				Shape.get("/include/target").exempt("dispatch", "dispatch"));
		Stream<Shape> forwarded = Stream.of("X-Forward-Before: ", "X-Forward-Behind: ")
			.flatMap((line) -> Stream.of(Shape.get("/nothing", line + "/target/1"),
					Shape.get("/target/1", line + "/target/2"), Shape.get("/exempt/1", line + "/target/1").alone(),
					Shape.get("/actuator/health", line + "/target/1"), Shape.get("/actuator/info", line + "/target/1"),
					Shape.of("OPTIONS", "/nothing", line + "/target/1", ORIGIN, ASKS).exempt("preflight", ""),
					Shape.get("/nothing", line + "/target/async/future"),
					Shape.get("/nothing", line + "/target/error/thrown"), Shape.get("/nothing", line + "//target/1")));
		return Stream.of(both, Stream.concat(servlet, forwarded).map(Shape::onServlet))
			.flatMap((shapes) -> shapes)
			.toList();
	}

	private static List<Shape> exempt() {
		return Stream.of(Shape.get("/exempt/1"), Shape.of("POST", "/exempt/1"), Shape.of("HEAD", "/exempt/1"))
			.map((shape) -> shape.exempt("handler", "handler"))
			.collect(Collectors.toList());
	}

}
