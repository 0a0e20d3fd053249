package dev.ratelimit.ban;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

import dev.ratelimit.BanKind;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.LiveConnection;
import dev.ratelimit.store.redis.RedisClock;
import dev.ratelimit.store.redis.RedisConnector;
import dev.ratelimit.store.redis.SharedKeys;
import dev.ratelimit.test.redis.TestRedis;
import io.lettuce.core.RedisURI;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests instances that share bans, with a server that hangs or stops.
 */
@Tag("redis")
class RedisBanStoreTests {

	private static final BanLimits LIMITS = new BanLimits(6, 3);

	/**
	 * Longer than that of an application, so that a pause of the machine fails no call.
	 */
	private static final Duration TIMEOUT = Duration.ofSeconds(20);

	private final List<Instance> instances = new ArrayList<>();

	private final TestRedis redis = TestRedis.start(TestRedis.APPENDING);

	private final Instance alice = new Instance();

	private final Instance bob = new Instance();

	@AfterEach
	void stop() {
		this.instances.forEach(Instance::close);
		this.redis.close();
	}

	private static BanOrder strikes(String subject) {
		return new BanOrder("login", subject, BanKind.BAN, 900_000, 2, 86_400_000, 86_400_000, "");
	}

	private static BanOrder by(String user, String subject) {
		return new BanOrder("login", subject, BanKind.MARK, 900_000, 1, 900_000, 0, user);
	}

	private static void soon(Runnable assertion) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).untilAsserted(assertion::run);
	}

	@Test
	void aBanIsKnownToOtherInstancesWithinASecondAndAHalf() {
		Awaitility.await().until(() -> this.redis.keys("*").isEmpty());
		List<Duration> waits = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			String subject = "ip:192.0.2." + i;
			assertThat(this.alice.impose(by("ann smith", subject))).isEqualTo(BanReply.Result.IMPOSED);
			long begin = System.nanoTime();
			soon(() -> assertThat(this.bob.active()).contains(subject));
			waits.add(Duration.ofNanos(System.nanoTime() - begin));
			Ban ban = this.bob.ban(subject);
			assertThat(ban.kind()).isEqualTo(BanKind.MARK);
			assertThat(ban.user()).isEqualTo("ann smith");
			assertThat(ban.untilMillis() - this.bob.store.nowMillis()).isBetween(890_000L, 900_000L);
		}
		// A busy machine delays the calls. Each ban begins after a poll, so even the
		// shortest wait contains the whole pause between two polls.
		assertThat(Collections.min(waits)).isLessThan(Duration.ofMillis(1500));
		assertThat(this.bob.store.lift("login", "ip:192.0.2.1", "bob").join()).isTrue();
		soon(() -> assertThat(this.alice.active()).containsExactlyInAnyOrder("ip:192.0.2.0", "ip:192.0.2.2",
				"ip:192.0.2.3", "ip:192.0.2.4"));
	}

	@Test
	void theBrakeHoldsForAllInstances() {
		List<BanReply.Result> results = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			results.add(((i % 2 == 0) ? this.alice : this.bob).impose(strikes("s" + i)));
		}
		assertThat(results).contains(BanReply.Result.BRAKED);
		assertThat(results.stream().filter((result) -> result == BanReply.Result.IMPOSED).count())
			.as("two minutes at most")
			.isBetween(3L, 6L);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void callsThatRedisRejectsAreLoggedOnceAndBansGoOn(CapturedOutput output) {
		Awaitility.await().until(() -> this.redis.keys("*").isEmpty());
		this.redis.command("LPUSH", "rl:test:{ban}:state", "x");
		String line = "Redis rejects the calls for bans (";
		soon(() -> assertThat(output.toString().split(Pattern.quote(line), -1)).hasSizeGreaterThan(2));
		assertThat(this.alice.impose(strikes("ann"))).isEqualTo(BanReply.Result.IMPOSED);
		assertThat(this.alice.store.impose(by("me", "carl"))).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.havingRootCause()
			.withMessageContaining("WRONGTYPE");
		this.redis.command("DEL", "rl:test:{ban}:state");
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		assertThat(output.toString().split(Pattern.quote(line), -1)).as("one line of each instance").hasSize(3);
	}

	@Test
	void bansSurviveRestartsOfTheApplicationAndOfRedis() {
		this.alice.impose(strikes("ann"));
		this.alice.close();
		this.bob.close();
		this.redis.kill();
		this.redis.restart();
		Instance restarted = new Instance();
		soon(() -> assertThat(restarted.active()).containsExactly("ann"));
		assertThat(restarted.ban("ann").count()).isEqualTo(1);
		assertThat(restarted.impose(strikes("ann"))).isEqualTo(BanReply.Result.KEPT);
	}

	@Test
	void bansHoldAndAreImposedWhileRedisStandsStill() {
		this.alice.impose(strikes("ann"));
		Instance carol = new Instance(Duration.ofSeconds(1));
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		soon(() -> assertThat(carol.active()).containsExactly("ann"));
		this.redis.pause();
		assertThat(carol.impose(strikes("bert"))).isEqualTo(BanReply.Result.IMPOSED);
		assertThat(carol.store.lift("login", "ann", "me")).failsWithin(Duration.ofSeconds(10));
		assertThat(carol.store.impose(by("me", "carl"))).failsWithin(Duration.ofSeconds(10));
		assertThat(carol.active()).containsExactlyInAnyOrder("ann", "bert");
		assertThat(carol.store.liftHere("login", "ann", "me")).isTrue();
		assertThat(carol.active()).containsExactly("bert");
		assertThat(this.bob.active()).containsExactly("ann");
		this.redis.resume();
		soon(() -> assertThat(this.bob.active()).containsExactly("bert"));
	}

	@Test
	void serverThatLostBansReceivesThem() {
		this.alice.impose(strikes("ann"));
		this.alice.impose(strikes("bert"));
		this.alice.store.lift("login", "bert", "me").join();
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		this.redis.command("FLUSHALL");
		Instance late = new Instance();
		soon(() -> assertThat(late.active()).containsExactly("ann"));
		assertThat(this.alice.active()).containsExactly("ann");
	}

	// The new server has neither the time nor the changes of the former one.
	@Test
	void aLiftByAServerWhoseClockIsBehindReachesAll() {
		this.alice.impose(strikes("ann"));
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		long ahead = this.alice.store.nowMillis() + 3_600_000;
		// Simulate a server whose clock was an hour ahead until now.
		String state = "rl:test:{ban}:state";
		this.redis.command("HSET", state, "change", Long.toString(ahead));
		assertThat(this.alice.impose(by("me", "ann"))).isEqualTo(BanReply.Result.IMPOSED);
		soon(() -> assertThat(this.bob.ban("ann").number()).isGreaterThan(ahead));
		this.redis.command("HDEL", state, "change");
		assertThat(this.alice.store.lift("login", "ann", "me").join()).isTrue();
		soon(() -> assertThat(this.bob.active()).isEmpty());
		assertThat(this.alice.active()).isEmpty();
	}

	@Test
	void anInstanceThatComesBackKeepsALiftAndSendsOnlyWhatItDidItself() {
		this.alice.impose(new BanOrder("login", "ann", BanKind.BAN, 86_400_000, 1, 86_400_000, 0, ""));
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		Ban ban = this.bob.ban("ann");
		this.bob.store.close();
		assertThat(this.alice.store.lift("login", "ann", "me").join()).isTrue();
		String forgotten = this.redis.command("ZSCORE", "rl:test:{ban}:until", "login\nann");
		assertThat(Double.parseDouble(forgotten)).isGreaterThanOrEqualTo(ban.untilMillis());
		this.bob.store.imposeHere(by("me", "bert"));
		this.bob.store.start((one) -> {
		});
		soon(() -> assertThat(this.alice.active()).containsExactly("bert"));
		soon(() -> assertThat(this.bob.active()).containsExactly("bert"));
	}

	@Test
	void aPageOfWhichABanIsGoneIsNotTheLastOne() {
		int count = BanKeys.PAGE_SIZE + 200;
		Instance many = new Instance(new BanLimits(2 * count, 3));
		for (int i = 0; i < count; i++) {
			assertThat(many.impose(by("me", "s" + i))).isEqualTo(BanReply.Result.IMPOSED);
		}
		assertThat(this.redis.command("HDEL", "rl:test:{ban}:bans", "login\ns5")).isEqualTo("1");
		Instance late = new Instance();
		soon(() -> assertThat(late.active()).hasSize(count - 1).contains("s" + (count - 1)));
	}

	@Test
	void aLiftThatAFailoverLosesBeforeAnyPollStaysInForce() {
		this.alice.impose(by("me", "ann"));
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		copy();
		assertThat(this.bob.store.lift("login", "ann", "me").join()).isTrue();
		failOver();
		soon(() -> assertThat(this.alice.active()).isEmpty());
		assertThat(this.bob.active()).isEmpty();
	}

	@Test
	void aLiftThatAFailoverLosesStaysInForceIfOthersChangeAsMuchSince() {
		this.alice.impose(by("me", "ann"));
		soon(() -> assertThat(this.bob.active()).containsExactly("ann"));
		copy();
		assertThat(this.alice.store.lift("login", "ann", "me").join()).isTrue();
		soon(() -> assertThat(this.bob.active()).isEmpty());
		this.alice.store.close();
		this.bob.store.close();
		failOver();
		Instance carol = new Instance();
		carol.impose(by("me", "bert"));
		this.bob.store.start((one) -> {
		});
		soon(() -> assertThat(carol.active()).containsExactly("bert"));
		soon(() -> assertThat(this.bob.active()).containsExactly("bert"));
	}

	// Save the state of a replica that does not receive later writes.
	private void copy() {
		eval("redis.call('SET', 'copy:' .. label, redis.call('DUMP', key))");
	}

	private void failOver() {
		eval("redis.call('RESTORE', key, 0, redis.call('GET', 'copy:' .. label), 'REPLACE')");
	}

	private void eval(String each) {
		this.redis.command("EVAL", "for _, label in ipairs({ 'until', 'log', 'bans', 'state' }) do"
				+ " local key = 'rl:test:{ban}:' .. label " + each + " end return 1", "0");
	}

	@Test
	void everyKeyExpires() {
		this.alice.impose(strikes("ann"));
		List<String> keys = this.redis.keys("*");
		assertThat(keys).hasSize(4)
			.allSatisfy((key) -> assertThat(key).startsWith("rl:test:{ban}:"))
			.allSatisfy((key) -> assertThat(Long.parseLong(this.redis.command("PTTL", key))).isPositive());
	}

	@Test
	void theScriptDecidesAsTheBook() {
		// Disable the brake, because it depends on the minute.
		BanLimits limits = new BanLimits(6, 1000);
		// Both decide at the same time, and each order has a different millisecond,
		// because the earlier of two bans that end at the same time is kept.
		AtomicLong nowMillis = new AtomicLong(System.currentTimeMillis());
		Instance alice = new Instance(limits, RedisClock.CLIENT, () -> TimeUnit.MILLISECONDS.toNanos(nowMillis.get()),
				() -> Instant.ofEpochMilli(nowMillis.get()), TIMEOUT);
		BanBook book = new BanBook(limits);
		Random random = new Random(16);
		for (int i = 0; i < 200; i++) {
			String subject = "s" + random.nextInt(9);
			BanOrder order = order(random, subject);
			BanReply expected = book.impose(order, nowMillis.addAndGet(10));
			BanReply reply = alice.store.impose(order).join();
			assertThat(reply.result()).as("%d: %s", i, order).isEqualTo(expected.result());
			if (reply.result() == BanReply.Result.IMPOSED) {
				assertThat(reply.ban().count()).isEqualTo(expected.ban().count());
				assertThat(reply.ban().untilMillis()).isEqualTo(expected.ban().untilMillis());
			}
			if (random.nextInt(3) == 0) {
				assertThat(alice.store.lift("login", subject, "me").join())
					.isEqualTo(book.lift("login", subject, "me", nowMillis.get()).isPresent());
			}
		}
	}

	@Test
	void aBanThatHasEndedGivesWay() {
		Instance small = new Instance(new BanLimits(1, 100));
		assertThat(small.store.impose(brief("ann", 50)).join().result()).isEqualTo(BanReply.Result.IMPOSED);
		Awaitility.await()
			.untilAsserted(() -> assertThat(small.store.impose(brief("bob", 600_000)).join().result())
				.isEqualTo(BanReply.Result.IMPOSED));
		assertThat(small.store.impose(brief("eve", 600_000)).join().result()).isEqualTo(BanReply.Result.FULL);
		assertThat(small.store.lift("login", "bob", "me").join()).isTrue();
		assertThat(small.store.impose(brief("eve", 600_000)).join().result()).as("a lift stays")
			.isEqualTo(BanReply.Result.FULL);
	}

	private static BanOrder brief(String subject, long millis) {
		return new BanOrder("login", subject, BanKind.BAN, millis, 1, millis, 900_000, "me");
	}

	// Return a random order by a user or by strikes, which is long enough not to end
	// during the test.
	private static BanOrder order(Random random, String subject) {
		BanKind kind = BanKind.values()[random.nextInt(3)];
		long millis = 600_000L * (1 + random.nextInt(4));
		return new BanOrder("login", subject, kind, millis, 1 + random.nextInt(3), 3 * millis, 900_000,
				(random.nextBoolean()) ? "me" : "");
	}

	/**
	 * An instance with its own connection and timer.
	 */
	private final class Instance {

		private final RedisConnector connector = new RedisConnector(LiveConnection
			.settings(RedisURI.create(RedisBanStoreTests.this.redis.host(), RedisBanStoreTests.this.redis.port())));

		private final Upkeep upkeep = new Upkeep();

		private final RedisBanStore store;

		private boolean closed;

		Instance() {
			this(LIMITS);
		}

		Instance(Duration timeout) {
			this(LIMITS, RedisClock.SERVER, Time.SYSTEM, InstantSource.system(), timeout);
		}

		Instance(BanLimits limits) {
			this(limits, RedisClock.SERVER, Time.SYSTEM, InstantSource.system(), TIMEOUT);
		}

		Instance(BanLimits limits, RedisClock clock, Time time, InstantSource system, Duration timeout) {
			LiveConnection.connect(this.connector);
			this.store = new RedisBanStore(new SharedKeys(this.connector, "rl:test", "ban", clock, system), limits,
					time, system, this.upkeep, timeout);
			this.store.start((ban) -> {
			});
			RedisBanStoreTests.this.instances.add(this);
		}

		BanReply.Result impose(BanOrder order) {
			return this.store.impose(order).join().result();
		}

		List<String> active() {
			return this.store.active().stream().map(Ban::subject).toList();
		}

		Ban ban(String subject) {
			return this.store.active()
				.stream()
				.filter((ban) -> ban.subject().equals(subject))
				.findFirst()
				.orElseThrow();
		}

		void close() {
			if (!this.closed) {
				this.closed = true;
				this.store.close();
				this.upkeep.close();
				this.connector.close();
			}
		}

	}

}
