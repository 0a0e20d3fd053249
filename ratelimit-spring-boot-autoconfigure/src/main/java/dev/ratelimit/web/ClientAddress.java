package dev.ratelimit.web;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The text of an address as a key: one spelling per client. IPv4 in dots, also where it
 * came mapped into IPv6; IPv6 by its /64 network, because one host owns all addresses of
 * it.
 */
final class ClientAddress {

	/** Who has no address, such as a peer on a Unix socket. */
	static final String UNKNOWN = "unknown";

	private static final int LONGEST = 64;

	private static final int NETWORK_GROUPS = 4;

	private ClientAddress() {
	}

	static String key(String address) {
		if (address.isEmpty() || address.length() > LONGEST) {
			return UNKNOWN;
		}
		return (address.indexOf(':') < 0) ? address : keyOfIpv6(address);
	}

	private static String keyOfIpv6(String address) {
		String plain = withoutZone(withoutBrackets(address));
		if (!looksLikeIpv6(plain)) {
			return UNKNOWN;
		}
		try {
			byte[] bytes = InetAddress.getByName(plain).getAddress();
			return (bytes.length == 4) ? dotted(bytes) : network(bytes);
		}
		catch (UnknownHostException ex) {
			return UNKNOWN;
		}
	}

	private static String withoutBrackets(String address) {
		boolean bracketed = address.startsWith("[") && address.endsWith("]");
		return (bracketed) ? address.substring(1, address.length() - 1) : address;
	}

	private static String withoutZone(String address) {
		int zone = address.indexOf('%');
		return (zone < 0) ? address : address.substring(0, zone);
	}

	// Only what begins like a literal and has a colon is never looked up as a name.
	private static boolean looksLikeIpv6(String text) {
		for (int i = 0; i < text.length(); i++) {
			char character = text.charAt(i);
			boolean known = character == ':' || (character < 128 && Character.digit(character, 16) >= 0)
					|| (character == '.' && i > 0);
			if (!known) {
				return false;
			}
		}
		return text.indexOf(':') >= 0;
	}

	private static String dotted(byte[] bytes) {
		return (bytes[0] & 255) + "." + (bytes[1] & 255) + "." + (bytes[2] & 255) + "." + (bytes[3] & 255);
	}

	private static String network(byte[] bytes) {
		int groups = NETWORK_GROUPS;
		while (groups > 1 && group(bytes, groups - 1) == 0) {
			groups--;
		}
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < groups; i++) {
			text.append((i == 0) ? "" : ":").append(Integer.toHexString(group(bytes, i)));
		}
		return ((text.toString().equals("0")) ? "" : text) + "::/64";
	}

	private static int group(byte[] bytes, int index) {
		return ((bytes[2 * index] & 255) << 8) | (bytes[2 * index + 1] & 255);
	}

}
