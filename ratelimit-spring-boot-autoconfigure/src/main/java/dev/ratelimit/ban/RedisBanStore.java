package dev.ratelimit.ban;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.ratelimit.BanKind;
import dev.ratelimit.store.StoreException;
import dev.ratelimit.store.Time;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.store.redis.SharedKeys;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: bans in Redis. Each instance reads the changes once a second, and has a copy
 * of all bans, which applies while Redis is unavailable. Bans that are imposed during an
 * outage, and bans that Redis has lost, are written to Redis when it responds again.
 * Thread-safe.
 */
public final class RedisBanStore implements BanStore {

	private static final Log logger = LogFactory.getLog(RedisBanStore.class);

	private static final int INTERVAL_MILLIS = 1000;

	private static final int SPREAD_MILLIS = 100;

	private static final Duration TIMEOUT = Duration.ofSeconds(1);

	private static final int PAGES = 20;

	private static final long TOO_LATE = -3;

	/** The reply if Redis has lost the ban to lift. */
	private static final long LIST_LOST = -4;

	private final BanKeys keys;

	private final BanBook book;

	private final BanLimits limits;

	private final Time time;

	private final InstantSource system;

	private final Upkeep upkeep;

	private final long timeoutMillis;

	/**
	 * The maximum age of a change at which Redis executes it. It allows for the
	 * inaccuracy of the estimated clock of Redis, which is up to the duration of a call.
	 */
	private final long maxAgeMillis;

	private Upkeep.@Nullable Task polling;

	/** The position in the log up to which this instance has read. Only polls use it. */
	private long position;

	/** The random number of that position; 0 if it is not known. */
	private long random;

	private long data;

	/**
	 * The changes of this instance that it has not read back from Redis yet. Redis may
	 * not have received them, or may lose them before other instances read them.
	 */
	private final Map<String, Ban> own = new ConcurrentHashMap<>();

	private volatile boolean lost;

	private volatile long aheadMillis;

	/** Whether Redis responds and rejects the calls, so that this is logged once. */
	private boolean rejected;

	private volatile boolean clockKnown;

	private volatile Consumer<Ban> changes = (ban) -> {
	};

	/**
	 * Create a store that does not read changes yet.
	 * @param keys the keys of the bans
	 * @param limits the limits on the number of bans
	 * @param time the monotonic time
	 * @param system the clock until Redis has reported its time
	 * @param upkeep runs the polls
	 */
	public RedisBanStore(SharedKeys keys, BanLimits limits, Time time, InstantSource system, Upkeep upkeep) {
		this(keys, limits, time, system, upkeep, TIMEOUT);
	}

	RedisBanStore(SharedKeys keys, BanLimits limits, Time time, InstantSource system, Upkeep upkeep, Duration timeout) {
		this.keys = new BanKeys(keys);
		this.book = new BanBook(limits);
		this.limits = limits;
		this.time = time;
		this.system = system;
		this.upkeep = upkeep;
		this.timeoutMillis = timeout.toMillis();
		this.maxAgeMillis = this.timeoutMillis * 4 / 5;
	}

	@Override
	public synchronized void start(Consumer<Ban> listener) {
		this.changes = listener;
		this.polling = this.upkeep.start(Duration.ZERO, RedisBanStore::pause, "Failed to read bans", this::poll);
	}

	private static Duration pause() {
		return Duration.ofMillis(INTERVAL_MILLIS - ThreadLocalRandom.current().nextInt(SPREAD_MILLIS));
	}

	@Override
	public long nowMillis() {
		return (this.clockKnown) ? TimeUnit.NANOSECONDS.toMillis(this.time.nanos()) + this.aheadMillis
				: this.system.millis();
	}

	private void saw(long unixMillis) {
		this.aheadMillis = unixMillis - TimeUnit.NANOSECONDS.toMillis(this.time.nanos());
		this.clockKnown = true;
	}

	private void poll() {
		try {
			Map<String, Ban> before = Map.copyOf(this.own);
			long[] reply = this.keys.since(this.position, this.random);
			saw(reply[0]);
			this.lost |= reply[4] == 1 || (this.data != 0 && reply[2] != this.data);
			if (this.lost) {
				this.keys.restore(this.book.all(), this.position);
				this.position = 0;
				this.random = 0;
				this.lost = false;
				reply = this.keys.since(0, 0);
			}
			this.data = reply[2];
			read(reply[1], reply[3]);
			send(before);
			this.rejected = false;
		}
		catch (StoreException ex) {
			// Until Redis responds, the copies apply. The guard of the store logs the
			// outage.
			if (ex.kind().isPermanent() && !this.rejected) {
				this.rejected = true;
				logger.error("Redis rejects the calls for bans (" + ex.getMessage()
						+ "); each instance bans on its own until it is fixed", ex);
			}
			else {
				logger.debug("Failed to read bans", ex);
			}
		}
		this.book.forget(nowMillis());
	}

	private void read(long newest, long randomOfNewest) {
		boolean more = this.position < newest;
		for (int page = 0; page < PAGES && more; page++) {
			BanKeys.Page read = this.keys.after(this.position);
			// Later changes are left to the next poll, because the random number of the
			// newest position could not show the loss of these changes.
			List<BanText> listed = read.bans().stream().filter((one) -> one.position() <= newest).toList();
			listed.forEach((one) -> readBack(one.ban()));
			long last = listed.stream().mapToLong(BanText::position).max().orElse(this.position);
			more = read.full() && last > this.position && last < newest;
			this.position = (more) ? last : newest;
			this.random = (more) ? 0 : randomOfNewest;
		}
	}

	private void readBack(Ban ban) {
		know(ban);
		String member = BanText.member(ban.rule(), ban.subject());
		Ban mine = this.own.get(member);
		if (mine != null && mine.number() <= ban.number()) {
			this.own.remove(member, mine);
		}
	}

	// The next poll reads back the changes that Redis accepts.
	private void send(Map<String, Ban> before) {
		Map<String, Ban> unread = new HashMap<>(before);
		unread.entrySet().removeIf((one) -> !one.getValue().equals(this.own.get(one.getKey())));
		if (!unread.isEmpty() && this.keys.restore(List.copyOf(unread.values()), this.position) == 0) {
			unread.forEach(this.own::remove);
		}
	}

	private void know(Ban ban) {
		if (this.book.know(ban)) {
			this.book.publish(ban, this.changes);
		}
	}

	@Override
	public CompletableFuture<BanReply> impose(BanOrder order) {
		String[] arguments = { BanText.member(order.rule(), order.subject()), BanText.kind(order.kind()),
				Long.toString(order.millis()), Double.toString(order.growth()), Long.toString(order.maxMillis()),
				Long.toString(order.forgetMillis()), order.rule(),
				Integer.toString((order.byStrikes()) ? this.limits.perMinute() : 0),
				Integer.toString(this.limits.max()), BanKeys.random(), order.user() };
		CompletableFuture<BanReply> imposed = change(0, nowMillis() + this.maxAgeMillis, arguments)
			.thenApply((reply) -> imposed(order, reply));
		return (order.user().isEmpty()) ? imposed.exceptionally((failure) -> imposedHere(order, failure)) : imposed;
	}

	// Redis rejects changes after the latest time, because a paused server could execute
	// them after their timeout.
	private CompletableFuture<long[]> change(long number, long latestMillis, String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.add(Long.toString(this.book.number()));
		all.add(Long.toString(latestMillis));
		all.add(Long.toString(number));
		return this.keys.change().run(all.toArray(String[]::new)).thenApply((reply) -> {
			if (reply[1] == TOO_LATE) {
				saw(reply[0]);
				throw new StoreException(StoreException.Kind.TIMEOUT, "Redis was too late", null);
			}
			return reply;
		}).orTimeout(this.timeoutMillis, TimeUnit.MILLISECONDS);
	}

	private BanReply imposed(BanOrder order, long[] reply) {
		saw(reply[0]);
		Ban ban = new Ban(order.rule(), order.subject(), order.kind(), reply[2], (int) reply[3], reply[0], reply[4],
				reply[5], order.user());
		BanReply.Result result = switch ((int) reply[1]) {
			case 1 -> BanReply.Result.IMPOSED;
			case 0 -> BanReply.Result.KEPT;
			case -1 -> BanReply.Result.BRAKED;
			default -> BanReply.Result.FULL;
		};
		if (result == BanReply.Result.IMPOSED) {
			done(ban);
		}
		return new BanReply(result, ban);
	}

	private BanReply imposedHere(BanOrder order, Throwable failure) {
		logger.debug("Redis does not know of a ban yet", failure);
		return imposeHere(order);
	}

	@Override
	public BanReply imposeHere(BanOrder order) {
		BanReply reply = this.book.impose(order, nowMillis());
		if (reply.result() == BanReply.Result.IMPOSED) {
			doneHere(reply.ban());
		}
		return reply;
	}

	@Override
	public CompletableFuture<Boolean> lift(String rule, String subject, String user) {
		long latestMillis = nowMillis() + this.maxAgeMillis;
		return sendLift(rule, subject, user, latestMillis)
			.thenCompose((reply) -> (reply[1] == LIST_LOST)
					? restored(rule, subject).thenCompose((done) -> sendLift(rule, subject, user, latestMillis))
					: CompletableFuture.completedFuture(reply))
			.thenApply((reply) -> lifted(rule, subject, user, reply))
			.orTimeout(this.timeoutMillis, TimeUnit.MILLISECONDS);
	}

	private CompletableFuture<long[]> sendLift(String rule, String subject, String user, long latestMillis) {
		long number = active(rule, subject).map(Ban::number).orElse(0L);
		return change(number, latestMillis, BanText.member(rule, subject), "lift", "0", "1", "0", "0", rule, "0", "0",
				BanKeys.random(), user);
	}

	private CompletableFuture<?> restored(String rule, String subject) {
		return active(rule, subject).<CompletableFuture<?>>map(this.keys::restore)
			.orElseGet(() -> CompletableFuture.completedFuture(rule));
	}

	private Optional<Ban> active(String rule, String subject) {
		return this.book.find(rule, subject).filter((ban) -> ban.isActive(nowMillis()));
	}

	private boolean lifted(String rule, String subject, String user, long[] reply) {
		saw(reply[0]);
		if (reply[1] == LIST_LOST) {
			throw new StoreException(StoreException.Kind.CONNECTION, "Redis lost the ban meanwhile", null);
		}
		if (reply[1] == 1) {
			done(new Ban(rule, subject, BanKind.BAN, 0, 0, reply[0], reply[4], reply[5], user));
		}
		return reply[1] == 1;
	}

	@Override
	public boolean liftHere(String rule, String subject, String user) {
		Optional<Ban> lift = this.book.lift(rule, subject, user, nowMillis());
		lift.ifPresent(this::doneHere);
		return lift.isPresent();
	}

	private void doneHere(Ban ban) {
		keep(ban);
		this.book.publish(ban, this.changes);
	}

	// The change is kept until it is read back, because Redis can lose it before other
	// instances read it.
	private void done(Ban ban) {
		keep(ban);
		know(ban);
	}

	private void keep(Ban ban) {
		this.own.merge(BanText.member(ban.rule(), ban.subject()), ban,
				(other, next) -> (next.number() > other.number()) ? next : other);
	}

	@Override
	public List<Ban> active() {
		return this.book.active(nowMillis());
	}

	@Override
	public synchronized void close() {
		if (this.polling != null) {
			this.polling.close();
		}
	}

}
