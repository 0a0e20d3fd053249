package dev.ratelimit.ban;

import java.util.List;
import java.util.Locale;

import dev.ratelimit.BanKind;

/**
 * The text form of bans in Redis.
 *
 * @param position the position in the log
 * @param ban the ban
 */
record BanText(long position, Ban ban) {

	private static final int PARTS = 8;

	static String member(String rule, String subject) {
		return rule + "\n" + subject;
	}

	static String kind(BanKind kind) {
		return kind.name().toLowerCase(Locale.ROOT);
	}

	// Unreadable text causes an IllegalArgumentException.
	static BanText read(String member, String text) {
		int end = member.indexOf('\n');
		String[] parts = text.split(" ", PARTS);
		if (end < 0 || parts.length < PARTS) {
			throw new IllegalArgumentException("'" + text + "' is no ban");
		}
		return new BanText(Long.parseLong(parts[0]),
				new Ban(member.substring(0, end), member.substring(end + 1),
						BanKind.valueOf(parts[2].toUpperCase(Locale.ROOT)), Long.parseLong(parts[1]),
						Integer.parseInt(parts[3]), Long.parseLong(parts[4]), Long.parseLong(parts[5]),
						Long.parseLong(parts[6]), parts[7]));
	}

	static List<String> arguments(Ban ban) {
		return List.of(member(ban.rule(), ban.subject()), Long.toString(ban.untilMillis()), kind(ban.kind()),
				Integer.toString(ban.count()), Long.toString(ban.atMillis()), Long.toString(ban.forgottenMillis()),
				Long.toString(ban.number()), ban.user());
	}

}
