package dev.ratelimit.hash;

import java.security.SecureRandom;

/**
 * Internal: hashes of texts that clients choose, for tables. The key is secret and
 * different in each process, so that no client can find texts of the same hash, which
 * would make a table slow or let clients share its entries. A seed that is only combined
 * with {@link String#hashCode()} would not prevent its collisions.
 * <p>
 * SipHash-1-3 of the UTF-16 code units in little-endian order.
 *
 * @see <a href="https://doi.org/10.1007/978-3-642-34931-7_28">Aumasson and Bernstein,
 * SipHash: a fast short-input PRF (2012)</a>
 */
public final class KeyedHash {

	private static final long KEY_0;

	private static final long KEY_1;

	static {
		SecureRandom random = new SecureRandom();
		KEY_0 = random.nextLong();
		KEY_1 = random.nextLong();
	}

	private KeyedHash() {
	}

	/**
	 * Return the hash of a text.
	 * @param text the text
	 * @return the hash, which is the same for equal texts within a process
	 */
	public static int of(String text) {
		long hash = of(text, KEY_0, KEY_1);
		return (int) (hash ^ (hash >>> 32));
	}

	static long of(String text, long key0, long key1) {
		long v0 = key0 ^ 0x736f6d6570736575L;
		long v1 = key1 ^ 0x646f72616e646f6dL;
		long v2 = key0 ^ 0x6c7967656e657261L;
		long v3 = key1 ^ 0x7465646279746573L;
		int length = text.length();
		// Words of four code units; the last word has the rest, and the number of bytes.
		int words = length >> 2;
		for (int i = 0; i <= words + 3; i++) {
			long word = (i <= words) ? word(text, i << 2, length) : 0;
			if (i == words + 1) {
				v2 ^= 0xff;
			}
			v3 ^= word;
			v0 += v1;
			v1 = Long.rotateLeft(v1, 13) ^ v0;
			v0 = Long.rotateLeft(v0, 32);
			v2 += v3;
			v3 = Long.rotateLeft(v3, 16) ^ v2;
			v0 += v3;
			v3 = Long.rotateLeft(v3, 21) ^ v0;
			v2 += v1;
			v1 = Long.rotateLeft(v1, 17) ^ v2;
			v2 = Long.rotateLeft(v2, 32);
			v0 ^= word;
		}
		return v0 ^ v1 ^ v2 ^ v3;
	}

	private static long word(String text, int from, int length) {
		if (from + 4 <= length) {
			return text.charAt(from) | (long) text.charAt(from + 1) << 16 | (long) text.charAt(from + 2) << 32
					| (long) text.charAt(from + 3) << 48;
		}
		long word = (2L * length) << 56;
		for (int i = from; i < length; i++) {
			word |= (long) text.charAt(i) << (16 * (i - from));
		}
		return word;
	}

}
