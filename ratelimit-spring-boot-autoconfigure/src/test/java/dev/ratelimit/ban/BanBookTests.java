package dev.ratelimit.ban;

import java.time.Duration;

import dev.ratelimit.BanKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BanBookTests {

	private static final long MINUTE = 60_000;

	private final BanBook book = new BanBook(new BanLimits(5, 3));

	private static BanOrder strikes(String subject) {
		return new BanOrder("login", subject, BanKind.BAN, 15 * MINUTE, 2, 40 * MINUTE, 60 * MINUTE, "");
	}

	private static BanOrder pause(String subject, long minutes) {
		return BanOrder.of("login", subject, BanKind.PAUSE, Duration.ofMinutes(minutes), "");
	}

	private long imposed(BanOrder order, long now) {
		BanReply reply = this.book.impose(order, now);
		assertThat(reply.result()).isEqualTo(BanReply.Result.IMPOSED);
		return (reply.ban().untilMillis() - now) / MINUTE;
	}

	@Test
	void furtherBansAreLongerUntilTheyAreForgotten() {
		assertThat(imposed(strikes("ann"), 0)).isEqualTo(15);
		assertThat(this.book.impose(strikes("ann"), MINUTE).result()).isEqualTo(BanReply.Result.KEPT);
		assertThat(imposed(strikes("ann"), 20 * MINUTE)).isEqualTo(30);
		assertThat(imposed(strikes("ann"), 60 * MINUTE)).isEqualTo(40);
		assertThat(imposed(strikes("ann"), 200 * MINUTE)).isEqualTo(15);
	}

	@Test
	void theBrakeSlowsNewBansAndEndsNone() {
		for (String subject : new String[] { "a", "b", "c" }) {
			imposed(strikes(subject), 0);
		}
		assertThat(this.book.impose(strikes("d"), 1).result()).isEqualTo(BanReply.Result.BRAKED);
		assertThat(this.book.active(1)).hasSize(3);
		assertThat(imposed(pause("e", 1), 1)).isEqualTo(1);
		assertThat(imposed(strikes("d"), MINUTE)).isEqualTo(15);
	}

	@Test
	void thereAreAtMostAsManyAsAllowed() {
		for (int i = 0; i < 5; i++) {
			imposed(pause("s" + i, 5), 0);
		}
		assertThat(this.book.impose(pause("other", 5), 1).result()).isEqualTo(BanReply.Result.FULL);
		assertThat(imposed(pause("other", 5), 6 * MINUTE)).isEqualTo(5);
	}

	@Test
	void aBanThatHasEndedGivesWay() {
		for (int i = 0; i < 5; i++) {
			long millis = (i + 1) * MINUTE;
			imposed(new BanOrder("login", "s" + i, BanKind.BAN, millis, 1, millis, 60 * MINUTE, "bob"), 0);
		}
		assertThat(this.book.impose(pause("other", 5), MINUTE - 1).result()).isEqualTo(BanReply.Result.FULL);
		assertThat(imposed(pause("other", 5), MINUTE)).isEqualTo(5);
		assertThat(this.book.lift("login", "s1", "bob", MINUTE)).isPresent();
		assertThat(this.book.impose(pause("another", 5), MINUTE).result()).as("a lift stays")
			.isEqualTo(BanReply.Result.FULL);
	}

	@Test
	void aPauseEndsNeitherABanNorALongerPause() {
		imposed(strikes("ann"), 0);
		assertThat(this.book.impose(pause("ann", 60), 1).result()).isEqualTo(BanReply.Result.KEPT);
		imposed(pause("bob", 5), 0);
		assertThat(this.book.impose(pause("bob", 1), 1).result()).isEqualTo(BanReply.Result.KEPT);
		assertThat(imposed(pause("bob", 9), 1)).isEqualTo(9);
	}

	// If a handler pauses a client for each wrong password, the client must still be
	// banned.
	@Test
	void strikesBanAClientThatIsPausedAndDoNotEndThePauseEarlier() {
		imposed(pause("ann", 1), 0);
		assertThat(imposed(strikes("ann"), 1)).isEqualTo(15);
		imposed(pause("bob", 60), 0);
		assertThat(this.book.impose(strikes("bob"), 1).ban()).returns(BanKind.BAN, Ban::kind)
			.returns(60 * MINUTE, Ban::untilMillis);
	}

	@Test
	void aPauseRejectsAMarkedClientAndAMarkDoesNotEndAPause() {
		BanOrder mark = new BanOrder("login", "ann", BanKind.MARK, 15 * MINUTE, 2, 40 * MINUTE, 60 * MINUTE, "");
		imposed(mark, 0);
		assertThat(imposed(pause("ann", 1), 1)).isEqualTo(1);
		assertThat(this.book.impose(mark, 2).result()).isEqualTo(BanReply.Result.KEPT);
	}

	@Test
	void aLiftIsRememberedForAsLongAsTheBanWouldHaveLasted() {
		imposed(BanOrder.of("login", "ann", BanKind.BAN, Duration.ofDays(1), "bob"), 0);
		Ban ban = this.book.active(1).get(0);
		assertThat(this.book.lift("login", "ann", "bob", 5)).isPresent();
		this.book.forget(23 * 60 * MINUTE);
		assertThat(this.book.know(ban)).isFalse();
		assertThat(this.book.active(23 * 60 * MINUTE)).isEmpty();
	}

	@Test
	void aLiftIsRememberedForAsLongAsAnEarlierBanWouldHaveLasted() {
		imposed(BanOrder.of("login", "ann", BanKind.BAN, Duration.ofDays(1), "bob"), 0);
		Ban ban = this.book.active(1).get(0);
		imposed(BanOrder.of("login", "ann", BanKind.BAN, Duration.ofMinutes(5), "bob"), 2);
		assertThat(this.book.lift("login", "ann", "bob", 5)).isPresent();
		this.book.forget(23 * 60 * MINUTE);
		assertThat(this.book.know(ban)).isFalse();
	}

	@Test
	void theLatestEntryPrevailsAndALiftIsOne() {
		imposed(strikes("ann"), 0);
		Ban ban = this.book.active(1).get(0);
		assertThat(this.book.lift("login", "ann", "bob", 5)).isPresent();
		assertThat(this.book.lift("login", "ann", "bob", 6)).isEmpty();
		assertThat(this.book.know(ban)).isFalse();
		assertThat(this.book.active(7)).isEmpty();
		assertThat(imposed(strikes("ann"), 8)).isEqualTo(15);
	}

}
