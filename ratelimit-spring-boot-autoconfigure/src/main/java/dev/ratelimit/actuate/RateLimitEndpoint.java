package dev.ratelimit.actuate;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.ratelimit.base.EditForbiddenException;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.store.LimitStore;
import dev.ratelimit.store.guard.StoreStatus;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.Explainer;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Internal: what is active, what a subject has left, a fresh start for a subject, what
 * seems wrong, and what would happen to a request.
 */
@Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {

	/** Where requests are explained; no rule may have this id. */
	private static final String EXPLAIN = "explain";

	private final RateLimitEngine engine;

	private final Editions editions;

	private final LimitStore store;

	private final Optional<StoreStatus> status;

	private final SubjectStatus subjects;

	private final Map<String, EndpointPart> parts;

	private final Optional<Explainer> explainer;

	private final LiveAccess access;

	/**
	 * An endpoint.
	 * @param engine decides
	 * @param editions the editions of the rules
	 * @param store the store in use
	 * @param status the store's status, if it can be away
	 * @param leases what this instance has leased, if the store leases
	 * @param parts what capabilities show
	 * @param explainer explains requests, in web applications
	 * @param access the rights to reset buckets
	 */
	public RateLimitEndpoint(RateLimitEngine engine, Editions editions, LimitStore store, Optional<StoreStatus> status,
			Optional<LeaseStatus> leases, List<EndpointPart> parts, Optional<Explainer> explainer, LiveAccess access) {
		this.engine = engine;
		this.editions = editions;
		this.store = store;
		this.status = status;
		this.subjects = new SubjectStatus(engine, leases);
		this.parts = parts.stream().collect(Collectors.toUnmodifiableMap(EndpointPart::name, Function.identity()));
		this.explainer = explainer;
		this.access = access;
	}

	/**
	 * Everything that is active.
	 * @return the store and all rules
	 */
	@ReadOperation
	public Map<String, Object> overview() {
		Map<String, Object> rules = new LinkedHashMap<>();
		this.editions.current().rules().rules().forEach((id, rule) -> rules.put(id, RuleDescription.of(rule)));
		Map<String, Object> overview = new LinkedHashMap<>();
		overview.put("enabled", true);
		overview.put("version", this.editions.current().rules().version());
		overview.put("store", StoreDescription.of(this.store, this.status));
		overview.put("rules", rules);
		return overview;
	}

	/**
	 * One rule, what a subject has left of it, the doctor's findings, or what would
	 * happen to a request. The whole path is one selector: after a selector of its own,
	 * WebFlux would count the rule among the remaining segments.
	 * @param what {@code doctor}, {@code explain}, or the rule's id and the segments of
	 * the subject, if one is requested and not named by parameter
	 * @param subject the subject, whatever it is made of
	 * @param method for {@code explain}: the request's method
	 * @param path for {@code explain}: its path after the context path, and its query
	 * @param user for {@code explain}: the authenticated user
	 * @param ip for {@code explain}: the address that it comes from
	 * @param header for {@code explain}: its headers, each as {@code name:value}
	 * @param plan for {@code explain}: the plan that the client is taken to have; for a
	 * subject: the plan whose buckets to look at
	 * @return what was requested, or nothing if there is no such rule
	 * @throws Exception if the store does not respond
	 */
	@ReadOperation
	public @Nullable Object read(@Selector(match = Match.ALL_REMAINING) String[] what, @Nullable String subject,
			@Nullable String method, @Nullable String path, @Nullable String user, @Nullable String ip,
			@Nullable List<String> header, @Nullable String plan) throws Exception {
		if (what.length > 1 || subject != null) {
			return status(what, subject, plan);
		}
		if (what[0].equals(EXPLAIN)) {
			return explain(new ExplainParameters(method, path, user, ip, header, plan));
		}
		EndpointPart part = this.parts.get(what[0]);
		return (part != null) ? part.content().get() : rule(what[0]);
	}

	/**
	 * Reset a subject's buckets.
	 * @param security the user
	 * @param what the rule's id, and the segments of the subject unless it is named by
	 * parameter
	 * @param subject the subject, whatever it is made of
	 * @return no content, bad request without a subject, forbidden without the right to
	 * switch the rule, not found if there is no such rule, or service unavailable if the
	 * store does not respond
	 * @throws InterruptedException if interrupted
	 */
	@DeleteOperation
	public WebEndpointResponse<?> delete(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String[] what,
			@Nullable String subject) throws InterruptedException {
		String wanted;
		try {
			this.access.requireReset(Optional.ofNullable(security.getPrincipal()), what[0]);
			wanted = subject(what, subject);
		}
		catch (EditForbiddenException ex) {
			return failed(String.valueOf(ex.getMessage()), RateLimitLiveEndpoint.FORBIDDEN);
		}
		catch (IllegalArgumentException ex) {
			return badRequest(String.valueOf(ex.getMessage()));
		}
		if (this.engine.rule(what[0]).isEmpty()) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		try {
			reset(what[0], wanted);
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (ExecutionException | TimeoutException ex) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
		}
	}

	/**
	 * One rule.
	 * @param rule the rule's id
	 * @return the rule, or nothing if there is none of this id
	 */
	public @Nullable Map<String, Object> rule(String rule) {
		Rule found = this.editions.current().rules().rules().get(rule);
		return (found != null) ? RuleDescription.of(found) : null;
	}

	/**
	 * What a subject has left. Charges nothing.
	 * @param rule the rule's id
	 * @param subject the subject, such as {@code user:alice}; it may hold slashes
	 * @return its limits, or nothing if there is no such rule
	 * @throws Exception if the store does not respond
	 */
	public @Nullable Map<String, Object> status(String rule, String... subject) throws Exception {
		CompiledRule found = this.engine.rule(rule).orElse(null);
		return (found != null) ? this.subjects.of(found, String.join("/", subject), Optional.empty()) : null;
	}

	private @Nullable Object status(String[] what, @Nullable String subject, @Nullable String plan) throws Exception {
		CompiledRule found = this.engine.rule(what[0]).orElse(null);
		if (found == null) {
			return null;
		}
		if (plan != null && !found.plans().containsKey(plan)) {
			return badRequest("the rule has no plan '" + plan + "'");
		}
		String wanted;
		try {
			wanted = subject(what, subject);
		}
		catch (IllegalArgumentException ex) {
			return badRequest(String.valueOf(ex.getMessage()));
		}
		return this.subjects.of(found, wanted, Optional.ofNullable(plan));
	}

	/**
	 * Reset a subject's buckets.
	 * @param rule the rule's id
	 * @param subject the subject
	 * @throws InterruptedException if interrupted
	 * @throws ExecutionException if the store cannot respond
	 * @throws TimeoutException if the store does not respond
	 */
	public void reset(String rule, String... subject)
			throws InterruptedException, ExecutionException, TimeoutException {
		this.subjects.reset(rule, String.join("/", subject));
	}

	private @Nullable Object explain(ExplainParameters parameters) throws Exception {
		if (this.explainer.isEmpty()) {
			return null;
		}
		ExplainRequest enquiry;
		try {
			enquiry = parameters.enquiry();
		}
		catch (IllegalArgumentException ex) {
			return badRequest(String.valueOf(ex.getMessage()));
		}
		return ExplanationDescription
			.of(this.explainer.get().explain(enquiry).get(SubjectStatus.PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
	}

	// Boot's own answer to a bad request leaves out why it is one.
	private static WebEndpointResponse<Map<String, String>> badRequest(String reason) {
		return failed(reason, WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	private static WebEndpointResponse<Map<String, String>> failed(String reason, int status) {
		return new WebEndpointResponse<>(Map.of("error", reason), status);
	}

	private static String subject(String[] what, @Nullable String named) {
		return NamedSubject.of(Arrays.asList(what).subList(1, what.length), Optional.ofNullable(named));
	}

}
