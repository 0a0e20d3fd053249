package dev.ratelimit.address;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Internal: finds the client's address: the address of the connection or, if the
 * connection comes from a trusted proxy, the nearest address before it that is not
 * trusted. Thread-safe.
 */
public final class ClientAddresses {

	/** The maximum number of hops that are read. */
	public static final int MAX_HOPS = 32;

	/** Uses the address of the connection, and ignores headers. */
	public static final ClientAddresses OF_PEER = new ClientAddresses(IpNetworks.NONE, 0, AddressHeader.X_FORWARDED_FOR,
			ClientAddress.IPV6_PREFIX, false);

	/** The prefix of parts of subjects that are client addresses. */
	private static final String IP = "ip:";

	private final IpNetworks proxies;

	private final int hops;

	private final AddressHeader header;

	private final int ipv6Prefix;

	private final boolean byContainer;

	private ClientAddresses(IpNetworks proxies, int hops, AddressHeader header, int ipv6Prefix, boolean byContainer) {
		this.proxies = proxies;
		this.hops = hops;
		this.header = header;
		this.ipv6Prefix = ipv6Prefix;
		this.byContainer = byContainer;
	}

	/**
	 * Return a finder for clients behind proxies with known addresses.
	 * @param networks the networks of the proxies
	 * @param header the header that the proxies set
	 * @return the finder
	 */
	public ClientAddresses behind(IpNetworks networks, AddressHeader header) {
		return new ClientAddresses(networks, 0, header, this.ipv6Prefix, false);
	}

	/**
	 * Return a finder for clients behind a number of proxies with unknown addresses.
	 * @param count the number of proxies, from 1 to {@value #MAX_HOPS}
	 * @param header the header that the proxies set
	 * @return the finder
	 */
	public ClientAddresses behind(int count, AddressHeader header) {
		return new ClientAddresses(IpNetworks.NONE, count, header, this.ipv6Prefix, false);
	}

	/**
	 * Return a finder that uses the addresses that the server reports, which may come
	 * from headers.
	 * @return the finder
	 */
	public ClientAddresses byContainer() {
		return new ClientAddresses(IpNetworks.NONE, 0, this.header, this.ipv6Prefix, true);
	}

	/**
	 * Return a finder with another length of the networks of IPv6 clients.
	 * @param prefix the number of leading bits that identify a client, from 48 to 128
	 * @return the finder
	 */
	public ClientAddresses grouping(int prefix) {
		return new ClientAddresses(this.proxies, this.hops, this.header, prefix, this.byContainer);
	}

	/**
	 * Return whether the address that the server reports is used instead of that of the
	 * connection.
	 * @return whether {@link #reported} is to be called instead of {@link #find}
	 */
	public boolean usesContainer() {
		return this.byContainer;
	}

	/**
	 * Return the client that a server reports.
	 * @param text the address as reported, possibly from a header
	 * @return the client
	 */
	public ClientAddress reported(String text) {
		return ClientAddress.behindProxy(HopText.reported(text), this.ipv6Prefix, IpAddress.UNKNOWN);
	}

	/**
	 * Return the client behind a connection.
	 * @param peer the address of the connection
	 * @param lines returns the received lines of a header; called only if the peer is
	 * trusted
	 * @return the client
	 */
	public ClientAddress find(IpAddress peer, Function<String, List<String>> lines) {
		return (isTrusted(peer, 0)) ? behindProxy(peer, lines) : ClientAddress.of(peer, this.ipv6Prefix);
	}

	// If an address cannot be parsed, the request is charged to the trusted hop that
	// accepted it, because clients can forge the values further left.
	private IpAddress before(IpAddress peer, List<String> lines) {
		IpAddress nearest = peer;
		Hops hops = Hops.of(this.header, lines);
		for (int i = 0; i < MAX_HOPS && hops.hasNext() && isTrusted(nearest, i); i++) {
			IpAddress hop = hops.next();
			if (!hop.isKnown()) {
				return nearest;
			}
			nearest = hop;
		}
		return nearest;
	}

	/**
	 * Return whether an address is that of a trusted proxy, which all clients behind it
	 * share.
	 * @param address the address
	 * @return whether the address is that of a proxy
	 */
	public boolean isProxy(IpAddress address) {
		return this.proxies.contains(address);
	}

	/**
	 * Return a subject whose addresses are keys of clients: IPv6 addresses are replaced
	 * with their networks.
	 * @param subject a subject as an operator may write it, such as
	 * {@code ip:2001:db8:1:2::7}
	 * @return the subject, such as {@code ip:2001:db8:1:2::/64}
	 */
	public String counted(String subject) {
		return (!subject.contains(IP)) ? subject
				: Arrays.stream(subject.split("\\|", -1)).map(this::countedPart).collect(Collectors.joining("|"));
	}

	/**
	 * Require that the addresses in a subject are those of clients.
	 * @param subject a subject whose addresses are keys of clients
	 * @throws IllegalArgumentException if a part is not an address, or the address of a
	 * trusted proxy
	 */
	public void requireClients(String subject) {
		for (String part : subject.split("\\|", -1)) {
			if (part.startsWith(IP) && !part.equals(IP + ClientAddress.UNKNOWN)) {
				String text = part.substring(IP.length());
				IpAddress address = address(part);
				if (!address.isKnown()) {
					throw new IllegalArgumentException("'" + text + "' is not the address of one client");
				}
				if (isProxy(address)) {
					throw new IllegalArgumentException(
							"'" + text + "' is a trusted proxy; to ban it would ban all clients behind it");
				}
			}
		}
	}

	private String countedPart(String part) {
		if (!part.startsWith(IP)) {
			return part;
		}
		IpAddress address = address(part);
		return (address.isKnown()) ? IP + ClientAddress.of(address, this.ipv6Prefix).key() : part;
	}

	// Of a network, the first address, if clients are counted by networks of this length.
	private IpAddress address(String part) {
		String network = "/" + this.ipv6Prefix;
		boolean named = part.indexOf(':', IP.length()) > 0 && part.endsWith(network);
		return IpAddress.parse(part.substring(IP.length(), part.length() - ((named) ? network.length() : 0)));
	}

	private boolean isTrusted(IpAddress address, int distance) {
		return distance < this.hops || this.proxies.contains(address);
	}

	private ClientAddress behindProxy(IpAddress peer, Function<String, List<String>> lines) {
		return ClientAddress.behindProxy(before(peer, lines.apply(this.header.name())), this.ipv6Prefix, peer);
	}

	/**
	 * Reads an element of {@code Forwarded}.
	 *
	 * @see <a href="https://www.rfc-editor.org/rfc/rfc7239">RFC 7239</a>
	 */
	static final class ForwardedElement {

		private static final int NAME_LENGTH = 3;

		private ForwardedElement() {
		}

		/**
		 * Return the index of the comma before the last element. The search starts at the
		 * right, because elements that a proxy has appended are well-formed, while those
		 * of clients may have unclosed quotes.
		 * @param text a line
		 * @param end the end of the last element
		 * @return the index of the comma, or -1
		 */
		static int comma(String text, int end) {
			boolean quoted = false;
			for (int i = end - 1; i >= 0; i--) {
				char character = text.charAt(i);
				if (character == '"' && !isEscaped(text, i)) {
					quoted = !quoted;
				}
				else if (character == ',' && !quoted) {
					return i;
				}
			}
			return -1;
		}

		private static boolean isEscaped(String text, int index) {
			int slashes = 0;
			while (index - slashes > 0 && text.charAt(index - slashes - 1) == '\\') {
				slashes++;
			}
			return slashes % 2 == 1;
		}

		// Returns the address of the only "for" parameter of the element.
		static IpAddress address(String text, int from, int to) {
			IpAddress found = IpAddress.UNKNOWN;
			boolean seen = false;
			for (int start = from; start <= to;) {
				int semicolon = semicolon(text, start, to);
				int name = HopText.skipBlanks(text, start, semicolon);
				if (text.regionMatches(true, name, "for", 0, NAME_LENGTH) && name + NAME_LENGTH < semicolon
						&& text.charAt(name + NAME_LENGTH) == '=') {
					if (seen) {
						return IpAddress.UNKNOWN;
					}
					seen = true;
					found = value(text, name + NAME_LENGTH + 1, HopText.dropBlanks(text, start, semicolon));
				}
				start = semicolon + 1;
			}
			return found;
		}

		private static int semicolon(String text, int from, int to) {
			boolean quoted = false;
			for (int i = from; i < to; i++) {
				char character = text.charAt(i);
				if (quoted && character == '\\') {
					i++;
				}
				else if (character == '"') {
					quoted = !quoted;
				}
				else if (character == ';' && !quoted) {
					return i;
				}
			}
			return to;
		}

		// A value without quotes is a token, which cannot contain colons or brackets.
		private static IpAddress value(String text, int from, int to) {
			if (from >= to || text.charAt(from) != '"') {
				return IpAddress.ipv4(text, from, to);
			}
			boolean closed = to - from > 1 && text.charAt(to - 1) == '"' && !isEscaped(text, to - 1);
			return (closed) ? HopText.bracketed(unescaped(text, from + 1, to - 1)) : IpAddress.UNKNOWN;
		}

		private static String unescaped(String text, int from, int to) {
			String value = text.substring(from, to);
			if (value.indexOf('\\') < 0) {
				return value;
			}
			StringBuilder plain = new StringBuilder(value.length());
			for (int i = 0; i < value.length(); i++) {
				boolean escape = value.charAt(i) == '\\' && i + 1 < value.length();
				plain.append(value.charAt((escape) ? ++i : i));
			}
			return plain.toString();
		}

	}

	/**
	 * The hops in a header, from the nearest to the farthest: from the end of the last
	 * line to the start of the first line. Values that clients have set are on the left.
	 * They are only read if all values to the right of them are trusted.
	 */
	private static final class Hops {

		private final AddressHeader.Kind kind;

		private final List<String> lines;

		private int line;

		/** The end of the unread part of the line. */
		private int end;

		static Hops of(AddressHeader header, List<String> lines) {
			// If there are several values, the value of the proxy is unknown.
			boolean ambiguous = header.kind() == AddressHeader.Kind.SINGLE && lines.size() != 1;
			return new Hops(header.kind(), (ambiguous) ? List.of() : lines);
		}

		private Hops(AddressHeader.Kind kind, List<String> lines) {
			this.kind = kind;
			this.lines = lines;
			previousLine(lines.size());
		}

		boolean hasNext() {
			return this.line >= 0;
		}

		/**
		 * Return the next hop.
		 * @return its address; unknown if the value is not an address
		 */
		IpAddress next() {
			String text = this.lines.get(this.line);
			int comma = comma(text);
			int to = this.end;
			if (comma < 0) {
				previousLine(this.line);
			}
			else {
				this.end = comma;
			}
			return (this.kind == AddressHeader.Kind.FORWARDED)
					? ClientAddresses.ForwardedElement.address(text, comma + 1, to)
					: HopText.plain(text, comma + 1, to);
		}

		private void previousLine(int current) {
			this.line = current - 1;
			this.end = (this.line >= 0) ? this.lines.get(this.line).length() : 0;
		}

		private int comma(String text) {
			return switch (this.kind) {
				case LIST -> text.lastIndexOf(',', this.end - 1);
				case FORWARDED -> ClientAddresses.ForwardedElement.comma(text, this.end);
				case SINGLE -> -1;
			};
		}

	}

	/**
	 * Parses one hop in the forms that proxies use: an address, optionally with brackets
	 * and a port, which are ignored.
	 */
	static final class HopText {

		private HopText() {
		}

		// An element of X-Forwarded-For, or a header that holds a single address. Some
		// proxies quote it.
		static IpAddress plain(String text, int start, int end) {
			int from = skipBlanks(text, start, end);
			int to = dropBlanks(text, from, end);
			boolean quoted = to - from > 1 && text.charAt(from) == '"' && text.charAt(to - 1) == '"';
			return (quoted) ? node(text, from + 1, to - 1) : node(text, from, to);
		}

		// A client address that the server reports. Filters may have changed its form:
		// Spring's filter encloses an IPv4 address and its port in brackets.
		static IpAddress reported(String text) {
			IpAddress address = plain(text, 0, text.length());
			boolean bracketed = text.startsWith("[") && text.endsWith("]");
			return (address.isKnown() || !bracketed) ? address : plain(text, 1, text.length() - 1);
		}

		// A quoted node (RFC 7239), in which IPv6 addresses have brackets.
		static IpAddress bracketed(String text) {
			int colon = text.indexOf(':');
			boolean ipv6 = colon >= 0 && !text.startsWith("[") && text.indexOf(':', colon + 1) >= 0;
			return (ipv6) ? IpAddress.UNKNOWN : node(text, 0, text.length());
		}

		private static IpAddress node(String text, int from, int to) {
			if (from < to && text.charAt(from) == '[') {
				int close = text.indexOf(']', from);
				return (close > 0 && isPort(text, close + 1, to)) ? IpAddress.ipv6(text, from + 1, close)
						: IpAddress.UNKNOWN;
			}
			int colon = text.indexOf(':', from);
			boolean port = colon > 0 && colon < to && colon - from >= 7 && isPort(text, colon, to);
			return (port) ? IpAddress.ipv4(text, from, colon) : IpAddress.parse(text, from, to);
		}

		// Whether the text is empty, or a colon with a port number or an obfuscated port
		// (RFC 7239).
		private static boolean isPort(String text, int from, int to) {
			if (from == to) {
				return true;
			}
			if (from > to || text.charAt(from) != ':' || to - from < 2) {
				return false;
			}
			boolean hidden = text.charAt(from + 1) == '_';
			for (int i = from + ((hidden) ? 2 : 1); i < to; i++) {
				if (!((hidden) ? isName(text.charAt(i)) : isDigit(text.charAt(i)))) {
					return false;
				}
			}
			return hidden || to - from <= 6;
		}

		private static boolean isName(char character) {
			return isDigit(character) || (character >= 'a' && character <= 'z')
					|| (character >= 'A' && character <= 'Z') || "._-".indexOf(character) >= 0;
		}

		private static boolean isDigit(char character) {
			return character >= '0' && character <= '9';
		}

		static int skipBlanks(String text, int start, int end) {
			int from = start;
			while (from < end && isBlank(text.charAt(from))) {
				from++;
			}
			return from;
		}

		static int dropBlanks(String text, int start, int end) {
			int to = end;
			while (to > start && isBlank(text.charAt(to - 1))) {
				to--;
			}
			return to;
		}

		private static boolean isBlank(char character) {
			return character == ' ' || character == '\t';
		}

	}

}
