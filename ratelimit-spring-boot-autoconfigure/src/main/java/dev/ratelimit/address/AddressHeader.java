package dev.ratelimit.address;

import java.util.Locale;

/**
 * Internal: the header in which proxies send the addresses of previous hops. Immutable.
 *
 * @param name the header's name
 * @param kind the format of its values
 */
public record AddressHeader(String name, Kind kind) {

	/** The header that most proxies set. */
	public static final AddressHeader X_FORWARDED_FOR = of("X-Forwarded-For");

	/**
	 * Return a header by its name.
	 * @param name the name; {@code X-Forwarded-For} and {@code Forwarded} contain lists
	 * to which each proxy appends, other headers contain a single address
	 * @return the header
	 */
	public static AddressHeader of(String name) {
		return new AddressHeader(name, switch (name.toLowerCase(Locale.ROOT)) {
			case "x-forwarded-for" -> Kind.LIST;
			case "forwarded" -> Kind.FORWARDED;
			default -> Kind.SINGLE;
		});
	}

	/**
	 * The format of the addresses in a header.
	 */
	public enum Kind {

		/** Addresses, separated by commas. */
		LIST,
		/** Elements of RFC 7239. */
		FORWARDED,
		/** One address. */
		SINGLE

	}

}
