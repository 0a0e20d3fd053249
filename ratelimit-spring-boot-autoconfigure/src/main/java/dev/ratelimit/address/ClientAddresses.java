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

	/** The address of the connection, whatever headers say. */
	public static final ClientAddresses OF_PEER = new ClientAddresses(IpNetworks.NONE, 0, AddressHeader.X_FORWARDED_FOR,
			ClientAddress.IPV6_PREFIX, false);

	/** The start of the part of a subject that is a client's address. */
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
	 * The same, behind proxies that are known by their addresses.
	 * @param networks the proxies' networks
	 * @param header the header that the proxies write
	 * @return the finder
	 */
	public ClientAddresses behind(IpNetworks networks, AddressHeader header) {
		return new ClientAddresses(networks, 0, header, this.ipv6Prefix, false);
	}

	/**
	 * The same, behind a number of proxies, whatever their addresses.
	 * @param count how many, from 1 to {@value #MAX_HOPS}
	 * @param header the header that the proxies write
	 * @return the finder
	 */
	public ClientAddresses behind(int count, AddressHeader header) {
		return new ClientAddresses(IpNetworks.NONE, count, header, this.ipv6Prefix, false);
	}

	/**
	 * The same, with the addresses that the server reports, which may come from headers.
	 * @return the finder
	 */
	public ClientAddresses byContainer() {
		return new ClientAddresses(IpNetworks.NONE, 0, this.header, this.ipv6Prefix, true);
	}

	/**
	 * The same, with other networks for IPv6 clients.
	 * @param prefix how many leading bits count, from 48 to 128
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
	 * @param lines finds the lines of a header, as they came over the connection; called
	 * only if the peer is trusted
	 * @return the client
	 */
	public ClientAddress find(IpAddress peer, Function<String, List<String>> lines) {
		return (isTrusted(peer, 0)) ? behindProxy(peer, lines) : ClientAddress.of(peer, this.ipv6Prefix);
	}

	// If an address cannot be parsed, the request is charged to the trusted hop that
	// accepted it: what is further left can be forged.
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
	 * Return whether an address is that of a trusted proxy, and so of all clients behind
	 * it.
	 * @param address the address
	 * @return whether it is
	 */
	public boolean isProxy(IpAddress address) {
		return this.proxies.contains(address);
	}

	/**
	 * Return a subject with its addresses as clients are counted by them: an IPv6 address
	 * is replaced by its network.
	 * @param subject a subject as an operator may write it, such as
	 * {@code ip:2001:db8:1:2::7}
	 * @return such as {@code ip:2001:db8:1:2::/64}
	 */
	public String counted(String subject) {
		return (!subject.contains(IP)) ? subject
				: Arrays.stream(subject.split("\\|", -1)).map(this::countedPart).collect(Collectors.joining("|"));
	}

	/**
	 * Require that the addresses in a subject are those of clients.
	 * @param subject a subject as clients are counted by it
	 * @throws IllegalArgumentException if one is no address, or that of a trusted proxy
	 */
	public void requireClients(String subject) {
		for (String part : subject.split("\\|", -1)) {
			if (part.startsWith(IP) && !part.equals(IP + ClientAddress.UNKNOWN)) {
				String text = part.substring(IP.length());
				int slash = (text.indexOf(':') < 0) ? -1 : text.indexOf('/');
				IpAddress address = IpAddress.parse((slash < 0) ? text : text.substring(0, slash));
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
		String network = "/" + this.ipv6Prefix;
		boolean named = part.indexOf(':', IP.length()) > 0 && part.endsWith(network);
		IpAddress address = IpAddress
			.parse(part.substring(IP.length(), part.length() - ((named) ? network.length() : 0)));
		return (address.isKnown()) ? IP + ClientAddress.of(address, this.ipv6Prefix).key() : part;
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
		 * The comma before the last element. Looked for from the right, since what a
		 * proxy has added there is well-formed, while a client may have left a quote
		 * open.
		 * @param text a line
		 * @param end where the last element ends
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

		// The address that the element's one "for" names.
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

		// What is not quoted is a token, which has neither colons nor brackets.
		private static IpAddress value(String text, int from, int to) {
			if (from >= to || text.charAt(from) != '"') {
				return IpLiteral.ipv4(text, from, to);
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
	 * The hops that a header names, from the nearest to the farthest: from the end of its
	 * last line to the start of its first. The values of clients are on the left, and are
	 * only read if all values to the right of them are trusted.
	 */
	private static final class Hops {

		private final AddressHeader.Kind kind;

		private final List<String> lines;

		private int line;

		/** The end of the part of the line that is not read yet. */
		private int end;

		static Hops of(AddressHeader header, List<String> lines) {
			// Of two values, it is unknown which is the proxy's.
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
		 * The next hop.
		 * @return its address, unknown if what the header says is none
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
	 * Reads one hop as proxies write it: an address, perhaps with brackets or a port,
	 * neither of which counts.
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

		// What a server says of a peer, after others have had a hand in it: Spring's
		// filter puts IPv4 into brackets, with the port.
		static IpAddress reported(String text) {
			IpAddress address = plain(text, 0, text.length());
			boolean bracketed = text.startsWith("[") && text.endsWith("]");
			return (address.isKnown() || !bracketed) ? address : plain(text, 1, text.length() - 1);
		}

		// A node of RFC 7239 that was quoted: IPv6 has brackets.
		static IpAddress bracketed(String text) {
			int colon = text.indexOf(':');
			boolean ipv6 = colon >= 0 && !text.startsWith("[") && text.indexOf(':', colon + 1) >= 0;
			return (ipv6) ? IpAddress.UNKNOWN : node(text, 0, text.length());
		}

		private static IpAddress node(String text, int from, int to) {
			if (from < to && text.charAt(from) == '[') {
				int close = text.indexOf(']', from);
				return (close > 0 && isPort(text, close + 1, to)) ? IpLiteral.ipv6(text, from + 1, close)
						: IpAddress.UNKNOWN;
			}
			int colon = text.indexOf(':', from);
			boolean port = colon > 0 && colon < to && colon - from >= 7 && isPort(text, colon, to);
			return (port) ? IpLiteral.ipv4(text, from, colon) : IpLiteral.parse(text, from, to);
		}

		// Nothing, a number, or a name that hides one (RFC 7239).
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
