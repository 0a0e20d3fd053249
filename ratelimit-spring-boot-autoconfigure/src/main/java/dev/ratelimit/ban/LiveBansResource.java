package dev.ratelimit.ban;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

import dev.ratelimit.BanKind;
import dev.ratelimit.actuate.LiveRequest;
import dev.ratelimit.actuate.LiveResource;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Changes;
import dev.ratelimit.base.UnavailableException;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.store.StoreException;

import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Internal: {@code bans}: shows the clients that are banned, marked, and paused, bans
 * clients, and lifts bans.
 *
 * @param bans the bans
 * @param engine the engine, which has the rules
 * @param addresses the addresses by which clients are counted
 * @param events publishes the edits of users
 */
record LiveBansResource(Bans bans, RateLimitEngine engine, ClientAddresses addresses,
		ApplicationEventPublisher events) implements LiveResource {

	private static final String INSTANCE = "instance";

	private static final int MAX_SHOWN = 1000;

	private static final long TIMEOUT_MILLIS = 3000;

	private static final String NO_RESPONSE = "the change cannot reach other instances, since the store did not respond; for"
			+ " this instance alone add \"scope\":\"instance\". If the response of the store was lost, 'GET bans' shows whether"
			+ " the ban was changed all the same";

	private static final String DEFAULT_DURATION = "15m";

	@Override
	public String name() {
		return "bans";
	}

	@Override
	public boolean operated() {
		return true;
	}

	@Override
	public Optional<Object> read(LiveRequest request) {
		if (!request.path().isEmpty()) {
			return Optional.empty();
		}
		List<Ban> active = this.bans.active()
			.stream()
			.filter((ban) -> request.value("rule").map(ban.rule()::equals).orElse(true))
			.filter((ban) -> request.value("subject").map(ban.subject()::contains).orElse(true))
			.sorted(Comparator.comparingLong(Ban::atMillis).reversed())
			.toList();
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("count", active.size());
		description.put("bans", active.stream().limit(MAX_SHOWN).map(LiveBansResource::of).toList());
		return Optional.of(description);
	}

	@Override
	public Optional<Object> write(LiveRequest request) {
		if (request.path().isEmpty()) {
			return Optional.empty();
		}
		request.requireOnly("subject", "mode", "duration", "note", "scope");
		String rule = request.path().get(0);
		this.engine.editions().current().required(rule);
		String note = request.note();
		String subject = bannable(rule, subject(request));
		BanReply reply = (instanceOnly(request))
				? this.bans.imposeHere(rule, subject, kind(request), duration(request), request.user())
				: await(this.bans.impose(rule, subject, kind(request), duration(request), request.user()));
		if (reply.result() != BanReply.Result.IMPOSED) {
			throw new IllegalArgumentException((reply.result() == BanReply.Result.FULL)
					? "there are too many bans (ratelimit.bans.max)" : "the client is banned already");
		}
		this.events.publishEvent(new UserEdit(request.user(), "ban", note,
				List.of(EnumNames.of(reply.ban().kind()) + " " + rule + " " + reply.ban().subject())));
		return Optional.of(of(reply.ban()));
	}

	@Override
	public Optional<Object> delete(LiveRequest request) {
		if (request.path().isEmpty()) {
			return Optional.empty();
		}
		request.requireOnly("subject", "all", "note", "scope");
		String rule = request.path().get(0);
		if (request.all()) {
			return liftAll(rule, request);
		}
		String subject = subject(request);
		String note = request.note();
		boolean lifted = (instanceOnly(request)) ? this.bans.liftHere(rule, subject, request.user())
				: await(this.bans.lift(rule, subject, request.user()));
		if (lifted) {
			this.events
				.publishEvent(new UserEdit(request.user(), "ban", note, List.of("lifted " + rule + " " + subject)));
		}
		return (lifted) ? Optional.of(Map.of("lifted", true)) : Optional.empty();
	}

	private Optional<Object> liftAll(String rule, LiveRequest request) {
		if (request.path().size() > 1 || request.value("subject").isPresent()) {
			throw new IllegalArgumentException("'all' cannot be combined with a subject");
		}
		String note = request.note();
		Optional<UnavailableException> failure = Optional.empty();
		long lifted;
		if (instanceOnly(request)) {
			lifted = this.bans.liftAllHere(rule, MAX_SHOWN, request.user());
		}
		else {
			Changes lifts = this.bans.liftAllOf(rule, MAX_SHOWN, request.user());
			failure = lifts.await(TIMEOUT_MILLIS, NO_RESPONSE);
			lifted = lifts.made().size();
		}
		if (lifted > 0) {
			this.events
				.publishEvent(new UserEdit(request.user(), "ban", note, List.of("lifted " + lifted + " of " + rule)));
		}
		failure.ifPresent((unavailable) -> {
			throw explained(unavailable);
		});
		if (lifted == 0) {
			this.engine.editions().current().required(rule);
		}
		long left = this.bans.active().stream().filter((ban) -> ban.rule().equals(rule)).count();
		return Optional.of(Map.of("lifted", lifted, "left", left));
	}

	private static boolean instanceOnly(LiveRequest request) {
		Optional<String> scope = request.value("scope");
		if (scope.isPresent() && !scope.get().equals(INSTANCE)) {
			throw new IllegalArgumentException("'scope' must be 'instance'");
		}
		return scope.isPresent();
	}

	// The canonical form, which is safe to log.
	private String subject(LiveRequest request) {
		return Subjects.of(this.addresses.counted(request.subject(request.path().subList(1, request.path().size()))));
	}

	// A ban of a subject that no request can have would have no effect.
	private String bannable(String rule, String subject) {
		Rule banning = this.engine.editions().current().required(rule).rule();
		boolean fits = this.engine.rules(subject).stream().anyMatch((one) -> one.id().equals(rule));
		if (!fits && !banning.match().programmatic()) {
			throw new IllegalArgumentException("no request has the subject '" + ShownText.of(subject)
					+ "' under the rule '" + rule + "'; its key is " + banning.key().parts());
		}
		this.addresses.requireClients(subject);
		return subject;
	}

	private static <T> T await(CompletableFuture<T> change) {
		try {
			return UnavailableException.await(change, TIMEOUT_MILLIS, NO_RESPONSE);
		}
		catch (UnavailableException ex) {
			throw explained(ex);
		}
	}

	private static UnavailableException explained(UnavailableException unavailable) {
		return (unavailable.getCause() instanceof ExecutionException failure
				&& failure.getCause() instanceof StoreException store && store.kind().isPermanent())
						? new UnavailableException("Redis rejected the change: " + store.getMessage(), store)
						: unavailable;
	}

	private static BanKind kind(LiveRequest request) {
		String mode = request.value("mode").orElse("ban");
		for (BanKind kind : BanKind.values()) {
			if (EnumNames.of(kind).equals(mode)) {
				return kind;
			}
		}
		throw new IllegalArgumentException("'mode' must be 'ban', 'mark', or 'pause'");
	}

	private static Duration duration(LiveRequest request) {
		try {
			return DurationStyle.detectAndParse(request.value("duration").orElse(DEFAULT_DURATION));
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw new IllegalArgumentException("'duration' is not a duration such as 15m", ex);
		}
	}

	private static Map<String, Object> of(Ban ban) {
		Map<String, Object> description = new LinkedHashMap<>();
		description.put("rule", ban.rule());
		description.put("subject", ban.subject());
		description.put("kind", EnumNames.of(ban.kind()));
		description.put("until", Instant.ofEpochMilli(ban.untilMillis()).toString());
		description.put("count", ban.count());
		description.put("at", Instant.ofEpochMilli(ban.atMillis()).toString());
		description.put("user", ban.user());
		return description;
	}

}
