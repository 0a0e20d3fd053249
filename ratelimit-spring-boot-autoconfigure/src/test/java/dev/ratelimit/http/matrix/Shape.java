package dev.ratelimit.http.matrix;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One form of a request, sent byte for byte, so that it is not normalized on its way. In
 * its texts, {@code {client}} stands for the address and name of the client, and
 * {@code {right}} and {@code {wrong}} for its credentials.
 *
 * @param method the method
 * @param target the target in the request line
 * @param version the version of the protocol
 * @param lines header lines
 * @param body the content
 * @param exemption the exemption without {@code Authorization}; empty if all rules count
 * the request
 * @param exemptionWithCredentials the exemption with {@code Authorization}
 * @param credentials the credentials to send
 * @param servletOnly whether only servlets have the component that it reaches
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
	 * Return the same form that is sent only without additional credentials.
	 * @return the form
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
	 * Return whether the request has no special features.
	 * @return whether it is an ordinary request
	 */
	boolean isPlain() {
		return this.method.equals("GET") && this.target.endsWith("/target/1") && this.lines.isEmpty()
				&& this.version.equals("HTTP/1.1");
	}

	/**
	 * Return whether a filter of the application forwards the request.
	 * @return whether the path is different after that filter
	 */
	boolean isRewritten() {
		return this.lines.contains("X-Forward-B");
	}

	/**
	 * Return whether the first parameter with the name of the key has a value. For other
	 * spellings, parsers read different values.
	 * @return whether all parsers read the same value
	 */
	boolean hasKey() {
		return this.target.matches("[^?]*\\?((?!k=)[^&]*&)*k=[^&]+.*");
	}

	/**
	 * Return whether the body is a form with one field, and there is no query.
	 * @return whether the field is the only value that the application can read
	 */
	boolean hasOneField() {
		return this.lines.contains("x-www-form-urlencoded") && this.body.matches("[^&;=\\r]+=[^&;=\\r]+")
				&& !this.target.contains("?");
	}

	/**
	 * Return the bytes of the request.
	 * @param client the address of the client
	 * @param presented the credentials to send
	 * @return the request, in the form that a proxy in front of the application sends
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
