package dev.ratelimit.ban;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.BanKind;
import dev.ratelimit.FailurePolicy;
import dev.ratelimit.Limit;
import dev.ratelimit.Policy;
import dev.ratelimit.SubjectBannedEvent;
import dev.ratelimit.algorithm.Algorithms;
import dev.ratelimit.base.Changes;
import dev.ratelimit.base.Resettable;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Sanction;
import dev.ratelimit.engine.SanctionKeeper;
import dev.ratelimit.engine.Strikes;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.BanTerms;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Bucket;
import dev.ratelimit.store.BucketFamily;
import dev.ratelimit.store.Charge;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.Stance;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Internal: counts strikes, imposes bans, and provides the active ones to the engine.
 * Thread-safe.
 */
public final class Bans implements SanctionKeeper, Resettable, AutoCloseable {

	private static final Log logger = LogFactory.getLog(Bans.class);

	private static final long MINUTE = 60_000;

	private final LimitStore limits;

	private final BanStore store;

	private final RateLimitEngine engine;

	private final Consumer<Object> events;

	private final BanCounts counts = new BanCounts();

	private final Sanctions sanctions;

	private final StrikeLogs logs = new StrikeLogs();

	private final Map<String, Long> braked = new ConcurrentHashMap<>();

	private final List<Consumer<List<Ban>>> followers = new CopyOnWriteArrayList<>();

	/**
	 * Create bans that are not read yet.
	 * @param limits the store of the buckets that count strikes
	 * @param store the store of the bans
	 * @param engine the engine, which applies the active bans
	 * @param events receives {@link SubjectBannedEvent}
	 */
	Bans(LimitStore limits, BanStore store, RateLimitEngine engine, Consumer<Object> events) {
		this.limits = limits;
		this.store = store;
		this.engine = engine;
		this.events = events;
		this.sanctions = new Sanctions(engine::nanos);
	}

	/**
	 * Begin to read bans, and to count strikes.
	 */
	void start() {
		this.store.start(this::apply);
		this.engine.editions().keepSanctions(this);
		this.engine.editions().addListener((edition) -> count(edition.rules().rules()));
	}

	private void count(Map<String, Rule> rules) {
		this.counts.retain(rules.keySet());
		rules.values().stream().filter(Bans::bans).map(Rule::id).forEach(this.counts::begin);
	}

	private static boolean bans(Rule rule) {
		return rule.reaction().excess().ban().isPresent();
	}

	private void apply(Ban ban) {
		long leftMillis = ban.untilMillis() - this.store.nowMillis();
		if (leftMillis > 0) {
			this.sanctions.put(ban.rule(), ban.subject(),
					new Sanction(ban.kind(), this.engine.nanos() + Duration.ofMillis(leftMillis).toNanos()));
		}
		else {
			this.sanctions.remove(ban.rule(), ban.subject());
		}
	}

	@Override
	public boolean any() {
		return this.sanctions.any();
	}

	@Override
	public @Nullable Sanction find(String rule, String subject) {
		return this.sanctions.find(rule, subject);
	}

	@Override
	public Strikes strikes(Strikes before, CompiledRule rule, String subject, boolean crossSite, boolean ownAddress) {
		if (!PendingStrikes.mayStrike(rule.rule().key(), subject, crossSite, ownAddress)) {
			return before;
		}
		PendingStrikes pending = (before instanceof PendingStrikes strikes) ? strikes
				: new PendingStrikes(List.of(), this::strike);
		return pending.with(rule, subject);
	}

	void strike(CompiledRule rule, String subject) {
		StrikeLog log = this.logs.of(rule);
		if (!log.begin()) {
			this.counts.add(log.rule(), BanCounts.Event.DROPPED);
			return;
		}
		this.counts.add(log.rule(), BanCounts.Event.STRIKE);
		log.strike(this.limits, subject, this.engine.nanos() + this.engine.deadline().toNanos())
			.thenCompose((full) -> (full) ? ban(rule, log, subject) : done())
			.whenComplete((done, failure) -> {
				log.end();
				if (failure != null) {
					logger.debug("A strike could not be counted", failure);
				}
			});
	}

	private static CompletableFuture<Void> done() {
		return CompletableFuture.completedFuture(null);
	}

	private CompletableFuture<Void> ban(CompiledRule rule, StrikeLog log, String subject) {
		String id = log.rule();
		long minute = this.store.nowMillis() / MINUTE;
		if (rule.policy().shadow()) {
			this.counts.add(id, BanCounts.Event.SHADOW);
			return log.reset(this.limits, subject);
		}
		if (this.braked.getOrDefault(id, 0L) == minute) {
			this.counts.add(id, BanCounts.Event.BRAKED);
			return done();
		}
		return this.store.impose(log.order(subject)).thenCompose((reply) -> {
			if (reply.result() == BanReply.Result.BRAKED) {
				this.braked.put(id, minute);
			}
			publish(reply);
			// A pause does not reset strikes.
			boolean banned = reply.result() == BanReply.Result.IMPOSED
					|| (reply.result() == BanReply.Result.KEPT && reply.ban().kind() != BanKind.PAUSE);
			return (banned) ? log.reset(this.limits, subject) : done();
		});
	}

	private BanReply publish(BanReply reply) {
		Ban ban = reply.ban();
		switch (reply.result()) {
			case IMPOSED -> {
				this.counts.add(ban.rule(), BanCounts.Event.IMPOSED);
				this.events.accept(new SubjectBannedEvent(ban.rule(), ban.subject(), ban.kind(),
						Instant.ofEpochMilli(ban.untilMillis()), ban.count(), ban.user()));
			}
			case BRAKED -> this.counts.add(ban.rule(), BanCounts.Event.BRAKED);
			case FULL -> this.counts.add(ban.rule(), BanCounts.Event.FULL);
			case KEPT -> {
			}
		}
		return reply;
	}

	@Override
	public CompletableFuture<Void> pause(CompiledRule rule, String subject, Duration pause) {
		return impose(rule.policy().ruleId(), subject, BanKind.PAUSE, pause, "").thenAccept((reply) -> {
		});
	}

	/**
	 * Impose a ban, mark, or pause.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @param kind the effect on the subject
	 * @param duration the duration
	 * @param user the user that imposes it
	 * @return the outcome
	 */
	public CompletableFuture<BanReply> impose(String rule, String subject, BanKind kind, Duration duration,
			String user) {
		return this.store.impose(BanOrder.of(rule, Subjects.of(subject), kind, duration, user))
			.thenApply(this::publish);
	}

	/**
	 * Impose a ban, mark, or pause on this instance only. The other instances receive it
	 * when the store responds.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @param kind the effect on the subject
	 * @param duration the duration
	 * @param user the user that imposes it
	 * @return the outcome
	 */
	public BanReply imposeHere(String rule, String subject, BanKind kind, Duration duration, String user) {
		return publish(this.store.imposeHere(BanOrder.of(rule, Subjects.of(subject), kind, duration, user)));
	}

	/**
	 * End a ban, mark, or pause on this instance only. The other instances receive the
	 * lift when the store responds.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @param user the user that ends it
	 * @return whether there was one
	 */
	boolean liftHere(String rule, String subject, String user) {
		return lifted(rule, this.store.liftHere(rule, Subjects.of(subject), user));
	}

	/**
	 * End a ban, mark, or pause.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @param user the user that ends it
	 * @return whether there was one
	 */
	public CompletableFuture<Boolean> lift(String rule, String subject, String user) {
		return this.store.lift(rule, Subjects.of(subject), user).thenApply((lifted) -> lifted(rule, lifted));
	}

	/**
	 * End all bans, marks, and pauses of a subject that this instance knows.
	 * @param subject the subject
	 * @param user the user that ends them
	 * @return the lifts, by the ids of their rules
	 */
	Changes liftAll(String subject, String user) {
		return new Changes(active().stream()
			.filter((ban) -> ban.subject().equals(subject))
			.map(Ban::rule)
			.distinct()
			.collect(Collectors.toMap(Function.identity(), (rule) -> lift(rule, subject, user))));
	}

	/**
	 * End the latest bans, marks, and pauses of a rule that this instance knows.
	 * @param rule the id of the rule
	 * @param most the maximum number to end
	 * @param user the user that ends them
	 * @return the lifts, by subject
	 */
	Changes liftAllOf(String rule, int most, String user) {
		return new Changes(latest(rule, most).distinct()
			.collect(Collectors.toMap(Function.identity(), (subject) -> lift(rule, subject, user))));
	}

	/**
	 * End the latest bans, marks, and pauses of a rule on this instance only.
	 * @param rule the id of the rule
	 * @param most the maximum number to end
	 * @param user the user that ends them
	 * @return the number of ended bans, marks, and pauses
	 */
	long liftAllHere(String rule, int most, String user) {
		return latest(rule, most).filter((subject) -> liftHere(rule, subject, user)).count();
	}

	private Stream<String> latest(String rule, int most) {
		return active().stream()
			.filter((ban) -> ban.rule().equals(rule))
			.sorted(Comparator.comparingLong(Ban::atMillis).reversed())
			.limit(most)
			.map(Ban::subject);
	}

	private boolean lifted(String rule, boolean lifted) {
		if (lifted) {
			this.counts.add(rule, BanCounts.Event.LIFTED);
		}
		return lifted;
	}

	/**
	 * Return the bans, marks, and pauses that this instance knows.
	 * @return those that have not ended
	 */
	public List<Ban> active() {
		return this.store.active();
	}

	@Override
	public void reset() {
		this.sanctions.clear();
		this.braked.clear();
	}

	/**
	 * Return the counts of strikes, bans, and lifts.
	 * @return counts by rule
	 */
	BanCounts counts() {
		return this.counts;
	}

	/**
	 * Publish the active bans once a second.
	 * @param follower receives the bans
	 */
	void addFollower(Consumer<List<Ban>> follower) {
		this.followers.add(follower);
	}

	/**
	 * Remove the bans, marks, and pauses that have ended, and publish the active ones.
	 */
	void sweep() {
		this.sanctions.sweep();
		if (!this.followers.isEmpty()) {
			List<Ban> active = active();
			this.followers.forEach((follower) -> follower.accept(active));
		}
	}

	@Override
	public void close() {
		this.engine.editions().keepSanctions(SanctionKeeper.NONE);
		this.store.close();
	}

	/**
	 * The strike logs of the rules. Thread-safe.
	 */
	private static final class StrikeLogs {

		private final Map<String, StrikeLog> logs = new ConcurrentHashMap<>();

		StrikeLog of(CompiledRule rule) {
			String id = rule.rule().id();
			BanTerms terms = rule.rule().reaction().excess().ban().orElseThrow();
			StrikeLog log = this.logs.get(id);
			if (log == null || !log.terms().equals(terms)) {
				log = StrikeLog.of(id, terms);
				this.logs.put(id, log);
			}
			return log;
		}

	}

	/**
	 * The hidden limit that counts the strikes of a rule: a strike that does not fit
	 * leads to a ban. Immutable.
	 *
	 * @param rule the rule's id
	 * @param terms the terms of the rule
	 * @param buckets the buckets of the subjects; none if the first strike bans
	 * @param counting the number of pending calls that count strikes
	 */
	private record StrikeLog(String rule, BanTerms terms, List<BucketFamily> buckets, AtomicInteger counting) {

		/**
		 * The maximum number of pending calls of one rule. It is per rule, so that many
		 * strikes of one rule do not cause dropped strikes of another rule.
		 */
		private static final int MAX_COUNTING = 64;

		static StrikeLog of(String rule, BanTerms terms) {
			if (terms.after() == 1) {
				return new StrikeLog(rule, terms, List.of(), new AtomicInteger());
			}
			Limit limit = limit(terms.after() - 1L, terms.within());
			// No plan has an exclamation mark in its name.
			String scope = rule + ".!strikes";
			return new StrikeLog(rule, terms,
					List.of(new BucketFamily(new Policy(scope, rule, limit, Policy.Unit.REQUESTS, true),
							Algorithms.of(limit), scope)),
					new AtomicInteger());
		}

		private static Limit limit(long strikes, Duration within) {
			return new Limit(Algorithms.EXACT, strikes, within, strikes);
		}

		/**
		 * Begin to count a strike, unless too many calls are pending.
		 * @return whether the strike may be counted; if so, call {@link #end} afterwards
		 */
		boolean begin() {
			if (this.counting.incrementAndGet() <= MAX_COUNTING) {
				return true;
			}
			this.counting.decrementAndGet();
			return false;
		}

		/** Record the end of a call that counts a strike. */
		void end() {
			this.counting.decrementAndGet();
		}

		/**
		 * Count a strike.
		 * @param limits the store that the strike is charged to
		 * @param subject the subject
		 * @param deadlineNanos the deadline
		 * @return whether the strike leads to a ban
		 */
		CompletableFuture<Boolean> strike(LimitStore limits, String subject, long deadlineNanos) {
			if (this.buckets.isEmpty()) {
				return CompletableFuture.completedFuture(true);
			}
			Charge strike = new Charge(of(subject).get(0), 1, FailurePolicy.OPEN, Stance.ENFORCED, false);
			return limits.acquire(new AcquireRequest(List.of(strike), Optional.empty(), deadlineNanos))
				.thenApply((result) -> !result.allowed());
		}

		CompletableFuture<Void> reset(LimitStore limits, String subject) {
			return limits.reset(of(subject));
		}

		BanOrder order(String subject) {
			return BanOrder.byStrikes(this.rule, subject, this.terms);
		}

		private List<Bucket> of(String subject) {
			return this.buckets.stream().map((family) -> new Bucket(family, subject)).toList();
		}

	}

}
