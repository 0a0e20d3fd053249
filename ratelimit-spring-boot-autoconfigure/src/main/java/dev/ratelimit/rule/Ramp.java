package dev.ratelimit.rule;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * Internal: the share of subjects for which a rule enforces; it only counts the others. A
 * subject stays enforced when the share grows. All instances select the same subjects,
 * and each rule selects different ones. Immutable.
 *
 * @param tenThousandths the share, from 0 to 10,000
 */
public record Ramp(int tenThousandths) {

	private static final int ALL = 10_000;

	/** All subjects. */
	public static final Ramp FULL = new Ramp(ALL);

	private static final Pattern PERCENTAGE = Pattern.compile("\\d{1,3}(\\.\\d{1,2})?\\s*%");

	private static final long FNV_OFFSET = 0xcbf29ce484222325L;

	private static final long FNV_PRIME = 0x100000001b3L;

	public Ramp {
		if (tenThousandths < 0 || tenThousandths > ALL) {
			throw new IllegalArgumentException("the share must be between 0% and 100%");
		}
	}

	/**
	 * Read a share.
	 * @param text a percentage with at most two decimals, such as {@code 25%}
	 * @return the share
	 * @throws IllegalArgumentException if the text is not a percentage
	 */
	public static Ramp parse(String text) {
		String trimmed = text.trim();
		if (!PERCENTAGE.matcher(trimmed).matches()) {
			throw new IllegalArgumentException(
					"'" + text + "' is not a percentage with at most two decimals; use one such as 25% or 0.5%");
		}
		BigDecimal percent = new BigDecimal(trimmed.substring(0, trimmed.length() - 1).trim());
		return new Ramp(percent.movePointRight(2).intValueExact());
	}

	/**
	 * Return whether the limits are enforced for all subjects.
	 * @return whether the share is 100%
	 */
	public boolean isFull() {
		return this.tenThousandths == ALL;
	}

	/**
	 * Return the initial hash for all subjects of a rule.
	 * @param ruleId the rule's id
	 * @return the hash of the rule's id, to which that of the subject is added
	 */
	public static long seed(String ruleId) {
		return hash(hash(FNV_OFFSET, ruleId), ":");
	}

	/**
	 * Return whether the limits are enforced for a subject. Allocates no objects.
	 * @param seed the rule's {@linkplain #seed seed}
	 * @param subject the subject, in canonical form
	 * @return whether it belongs to the share
	 */
	public boolean enforces(long seed, String subject) {
		return Long.remainderUnsigned(mixed(hash(seed, subject)), ALL) < this.tenThousandths;
	}

	// FNV-1a over the bytes of UTF-8.
	private static long hash(long seed, String text) {
		long hash = seed;
		for (int i = 0; i < text.length(); i++) {
			char unit = text.charAt(i);
			if (unit < 0x80) {
				hash = (hash ^ unit) * FNV_PRIME;
			}
			else {
				int point = text.codePointAt(i);
				hash = hash(hash, point);
				i += Character.charCount(point) - 1;
			}
		}
		return hash;
	}

	private static long hash(long seed, int point) {
		if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
			// Same replacement of unpaired surrogates as String.getBytes.
			return (seed ^ '?') * FNV_PRIME;
		}
		int more = 1;
		if (point >= 0x800) {
			more = (point < 0x10000) ? 2 : 3;
		}
		// The number of leading one bits is the number of bytes.
		int lead = (0xff00 >> more + 1 & 0xff) | point >> 6 * more;
		long hash = (seed ^ lead) * FNV_PRIME;
		for (int rest = more - 1; rest >= 0; rest--) {
			hash = (hash ^ (0x80 | point >> 6 * rest & 0x3f)) * FNV_PRIME;
		}
		return hash;
	}

	// The finalizer of MurmurHash3, because FNV distributes the last bytes poorly.
	private static long mixed(long hash) {
		long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
		return mixed ^ mixed >>> 33;
	}

	@Override
	public String toString() {
		return BigDecimal.valueOf(this.tenThousandths, 2).stripTrailingZeros().toPlainString() + "%";
	}

}
