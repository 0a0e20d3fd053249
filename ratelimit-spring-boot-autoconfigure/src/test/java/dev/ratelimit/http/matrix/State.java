package dev.ratelimit.http.matrix;

import java.time.Duration;
import java.util.Set;

import dev.ratelimit.BanKind;
import dev.ratelimit.Decision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.ban.Bans;

import org.springframework.context.ApplicationContext;

/**
 * A state of a client in which a rule, a ban, or a list rejects its requests.
 */
enum State {

	EARLY(MatrixRule.EARLY_ALL, 429), LATE(MatrixRule.LATE_ALL, 429), PATH(MatrixRule.EARLY_TARGET, 429),
	LATE_PATH(MatrixRule.LATE_TARGET, 429), HANDLER(MatrixRule.ANNOTATED, 429), METHOD(MatrixRule.GET, 429),
	TARPIT(MatrixRule.TARPIT, 429), SLOT(MatrixRule.SLOTS, 503, 429), LINE(MatrixRule.LINE, 503, 429),
	BANNED(MatrixRule.STRUCK, 403), DENIED(MatrixRule.EARLY_ALL, 403);

	/** The network of denied clients. */
	static final String DENIED_NETWORK = "10.200.0.0/16";

	private final MatrixRule rule;

	private final Set<Integer> statuses;

	State(MatrixRule rule, Integer... statuses) {
		this.rule = rule;
		this.statuses = Set.of(statuses);
	}

	MatrixRule rule() {
		return this.rule;
	}

	Set<Integer> statuses() {
		return this.statuses;
	}

	String client(int number) {
		return String.format("10.%d.%d.%d", (this == DENIED) ? 200 : 100 + ordinal(), number >> 8, number & 255);
	}

	/**
	 * Bring a client into this state.
	 * @param application the application
	 * @param client the client
	 * @return releases the held slots
	 */
	Runnable enter(ApplicationContext application, String client) {
		RateLimiter limiter = application.getBean(RateLimiter.class);
		return switch (this) {
			case DENIED -> () -> {
			};
			case BANNED -> {
				application.getBean(Bans.class)
					.imposeHere(this.rule.id(), "ip:" + client, BanKind.BAN, Duration.ofHours(1), "operator");
				yield () -> {
				};
			}
			case LATE, LATE_PATH -> {
				limiter.acquireBlocking(this.rule.id(), "user:" + client, MatrixRule.CAPACITY);
				limiter.acquireBlocking(this.rule.id(), "ip:" + client, MatrixRule.CAPACITY);
				yield () -> {
				};
			}
			case SLOT, LINE -> {
				Decision held = limiter.acquireBlocking(this.rule.id(), "ip:" + client);
				yield () -> held.reservation().cancel().toCompletableFuture().join();
			}
			default -> {
				limiter.acquireBlocking(this.rule.id(), "ip:" + client, MatrixRule.CAPACITY);
				yield () -> {
				};
			}
		};
	}

	/**
	 * Return whether a request of a client in this state is rejected.
	 * @param exemption the exemption of the request
	 * @param seen the components that the same request of a client without a state
	 * reached
	 * @param before the charges of the rule for that client
	 * @return whether the request is rejected
	 */
	boolean rejects(Exemption exemption, Reached.Seen seen, ChargeLog.Charged before) {
		return switch (this) {
			case DENIED -> exemption.meetsDenyList() && seen.isExamined();
			case BANNED -> exemption.meetsBans() && seen.isExamined();
			default -> before.times() > 0;
		};
	}

}
