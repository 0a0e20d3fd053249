package dev.ratelimit.http.matrix;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One form of a request, written byte for byte, so that nothing on its way normalizes it.
 * In its texts, {@code {client}} stands for the client's address and name, and
 * {@code {right}} and {@code {wrong}} for its credentials.
 *
 * @param method the method
 * @param target what the request line names
 * @param version the protocol's version
 * @param lines header lines
 * @param body the content
 * @param exemption why not all rules count it without {@code Authorization}; empty if
 * they do
 * @param exemptionWithCredentials the same with it
 * @param credentials what it is sent with
 * @param servletOnly whether only servlets have what it reaches
 */
record Shape(String method, String target, String version, String lines, String body, String exemption,
		String exemptionWithCredentials, Set<Credentials> credentials, boolean servletOnly) {

	static Shape of(String method, String target, String... lines) {
		return new Shape(method, target, "HTTP/1.1",
				Arrays.stream(lines).map((line) -> line + "\r\n").collect(Collectors.joining()), "", "", "",
				EnumSet.allOf(Credentials.class), false);
	}

	static Shape get(String target, String... lines) {
		return of("GET", target, lines);
	}

	static Shape post(String target, String type, String body, String... lines) {
		return of("POST", target, lines).with("Content-Type: " + type).content(body);
	}

	Shape with(String line) {
		return new Shape(this.method, this.target, this.version, this.lines + line + "\r\n", this.body, this.exemption,
				this.exemptionWithCredentials, this.credentials, this.servletOnly);
	}

	Shape content(String text) {
		return new Shape(this.method, this.target, this.version, this.lines, text, this.exemption,
				this.exemptionWithCredentials, this.credentials, this.servletOnly);
	}

	Shape version(String other) {
		return new Shape(this.method, this.target, other, this.lines, this.body, this.exemption,
				this.exemptionWithCredentials, this.credentials, this.servletOnly);
	}

	Shape exempt(String reason, String withCredentials) {
		return new Shape(this.method, this.target, this.version, this.lines, this.body, reason, withCredentials,
				this.credentials, this.servletOnly);
	}

	/**
	 * The same, with no other credentials than its own.
	 * @return the shape
	 */
	Shape alone() {
		return new Shape(this.method, this.target, this.version, this.lines, this.body, this.exemption,
				this.exemptionWithCredentials, EnumSet.of(Credentials.NONE), this.servletOnly);
	}

	Shape onServlet() {
		return new Shape(this.method, this.target, this.version, this.lines, this.body, this.exemption,
				this.exemptionWithCredentials, this.credentials, true);
	}

	Shape under(String contextPath) {
		return (this.target.startsWith("/"))
				? new Shape(this.method, contextPath + this.target, this.version, this.lines, this.body, this.exemption,
						this.exemptionWithCredentials, this.credentials, this.servletOnly)
				: this;
	}

	String exemption(Credentials presented) {
		return (presented == Credentials.NONE) ? this.exemption : this.exemptionWithCredentials;
	}

	/**
	 * Whether there is nothing special about it.
	 * @return whether it is what clients send
	 */
	boolean isPlain() {
		return this.method.equals("GET") && this.target.endsWith("/target/1") && this.lines.isEmpty()
				&& this.version.equals("HTTP/1.1");
	}

	/**
	 * Whether a filter of the application forwards it.
	 * @return whether it has another path behind that filter
	 */
	boolean isRewritten() {
		return this.lines.contains("X-Forward-B");
	}

	/**
	 * Whether the first parameter of the name of the key has a value. From other
	 * spellings, readers take different values.
	 * @return whether all readers take the same value
	 */
	boolean hasKey() {
		return this.target.matches("[^?]*\\?((?!k=)[^&]*&)*k=[^&]+.*");
	}

	/**
	 * Whether it has a form of one field in its body, and no query.
	 * @return whether the field is the only value that the application can read
	 */
	boolean hasOneField() {
		return this.lines.contains("x-www-form-urlencoded") && this.body.matches("[^&;=\\r]+=[^&;=\\r]+")
				&& !this.target.contains("?");
	}

	/**
	 * The bytes of the request.
	 * @param client the client's address
	 * @param presented what it presents to the authentication
	 * @return the request, as a proxy in front of the application would send it
	 */
	String text(String client, Credentials presented) {
		StringBuilder text = new StringBuilder().append(this.method)
			.append(' ')
			.append(this.target)
			.append(' ')
			.append(this.version)
			.append("\r\n");
		if (!this.lines.contains("Host:") && this.version.equals("HTTP/1.1")) {
			text.append("Host: localhost\r\n");
		}
		if (!this.lines.contains("Connection:")) {
			text.append("Connection: close\r\n");
		}
		if (!this.body.isEmpty() && !this.lines.contains("Content-Length:")
				&& !this.lines.contains("Transfer-Encoding:")) {
			text.append("Content-Length: ").append(this.body.length()).append("\r\n");
		}
		text.append(this.lines)
			.append(presented.line(client))
			.append(Reached.CLIENT + ": ")
			.append(client)
			.append("\r\nX-Forwarded-For: ")
			.append(client)
			.append("\r\n\r\n")
			.append(this.body);
		return text.toString()
			.replace("{client}", client)
			.replace("{right}", Credentials.right(client))
			.replace("{wrong}", Credentials.wrong(client));
	}

	@Override
	public String toString() {
		return (this.method + " " + this.target + " " + this.lines.replace("\r\n", ", ") + " "
				+ this.body.replace("\r\n", "|"))
			.strip();
	}

}
