package dev.ratelimit.actuate;

import java.security.Principal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.ratelimit.Source;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.address.IpAddress;
import dev.ratelimit.algorithm.Wait;
import dev.ratelimit.base.EditForbiddenException;
import dev.ratelimit.base.UserEdit;
import dev.ratelimit.engine.CompiledRule;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.engine.Subjects;
import dev.ratelimit.rule.EnumNames;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleDescription;
import dev.ratelimit.rule.ShownText;
import dev.ratelimit.store.lease.LeaseStatus;
import dev.ratelimit.web.ExpectedVerdict;
import dev.ratelimit.web.ExplainRequest;
import dev.ratelimit.web.Explainer;
import dev.ratelimit.web.Explanation;
import dev.ratelimit.web.RuleExplanation;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Internal: the endpoint that shows the active rules, the remaining units of a subject,
 * and the findings of the doctor, explains requests, and resets subjects.
 */
@Endpoint(id = "ratelimit")
public final class RateLimitEndpoint {

	/** The path at which requests are explained; no rule may have this id. */
	private static final String EXPLAIN = "explain";

	private final RateLimitEngine engine;

	private final Editions editions;

	private final Supplier<Map<String, Object>> description;

	private final SubjectStatus subjects;

	private final Map<String, EndpointPart> parts;

	private final Optional<Explainer> explainer;

	private final LiveAccess access;

	private final ClientAddresses addresses;

	private final Consumer<UserEdit> edits;

	/**
	 * Create an endpoint.
	 * @param engine the engine
	 * @param editions the editions of the rules
	 * @param description describes the stores in use
	 * @param leases the units that this instance has leased, if the store supports
	 * leasing
	 * @param parts the parts that capabilities contribute
	 * @param explainer explains requests, in web applications
	 * @param access the rights to reset buckets
	 * @param addresses the addresses by which clients are counted
	 * @param edits receives resets, for the audit log
	 */
	public RateLimitEndpoint(RateLimitEngine engine, Editions editions, Supplier<Map<String, Object>> description,
			Optional<LeaseStatus> leases, List<EndpointPart> parts, Optional<Explainer> explainer, LiveAccess access,
			ClientAddresses addresses, Consumer<UserEdit> edits) {
		this.engine = engine;
		this.editions = editions;
		this.description = description;
		this.subjects = new SubjectStatus(engine, leases);
		this.parts = parts.stream().collect(Collectors.toUnmodifiableMap(EndpointPart::name, Function.identity()));
		this.explainer = explainer;
		this.access = access;
		this.addresses = addresses;
		this.edits = edits;
	}

	/**
	 * Return the active store and rules.
	 * @return the store and all rules
	 */
	@ReadOperation
	public Map<String, Object> overview() {
		Map<String, Object> rules = new LinkedHashMap<>();
		this.editions.current().rules().rules().forEach((id, rule) -> rules.put(id, RuleDescription.of(rule)));
		Map<String, Object> overview = new LinkedHashMap<>();
		overview.put("enabled", true);
		overview.put("version", this.editions.current().rules().version());
		overview.put("store", this.description.get());
		overview.put("rules", rules);
		return overview;
	}

	/**
	 * Return one rule, the remaining units of a subject, the findings of the doctor, or
	 * the explanation of a request. The whole path is one selector, because WebFlux
	 * includes the segment of a preceding selector in the remaining segments.
	 * @param what {@code doctor}, {@code explain}, or the rule's id, followed by the
	 * segments of the subject if a subject is requested and not given as a parameter
	 * @param subject the subject
	 * @param method for {@code explain}: the request's method
	 * @param path for {@code explain}: its path after the context path, and its query
	 * @param user for {@code explain}: the authenticated user
	 * @param ip for {@code explain}: the address of the client
	 * @param header for {@code explain}: its headers, each as {@code name:value}
	 * @param plan for {@code explain}: the plan that the client is taken to have; for a
	 * subject: the plan that selects the buckets
	 * @return the requested part; null if requests cannot be explained
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
		if (part != null) {
			return part.content().get();
		}
		Map<String, Object> rule = rule(what[0]);
		return (rule != null) ? rule : unknownRule(what[0]);
	}

	/**
	 * Reset a subject's buckets.
	 * @param security the user
	 * @param what the rule's id, followed by the segments of the subject unless it is
	 * given as a parameter
	 * @param subject the subject
	 * @return no content, bad request without a subject, forbidden without the right to
	 * switch the rule, not found if there is no such rule, or service unavailable if the
	 * store does not respond
	 * @throws InterruptedException if interrupted
	 */
	@DeleteOperation
	public WebEndpointResponse<?> delete(SecurityContext security, @Selector(match = Match.ALL_REMAINING) String[] what,
			@Nullable String subject) throws InterruptedException {
		Optional<Principal> principal = Optional.ofNullable(security.getPrincipal());
		String wanted;
		try {
			this.access.requireReset(principal, what[0]);
			wanted = subject(what, subject);
		}
		catch (EditForbiddenException ex) {
			return failed(String.valueOf(ex.getMessage()), RateLimitLiveEndpoint.FORBIDDEN);
		}
		catch (IllegalArgumentException ex) {
			return badRequest(String.valueOf(ex.getMessage()));
		}
		if (this.engine.rule(what[0]).isEmpty()) {
			return unknownRule(what[0]);
		}
		try {
			reset(what[0], wanted);
			this.edits.accept(new UserEdit(LiveRequest.user(principal), "reset", "",
					List.of(what[0] + " " + Subjects.of(wanted))));
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NO_CONTENT);
		}
		catch (ExecutionException ex) {
			return notReset("the store failed: " + ((ex.getCause() != null) ? ex.getCause().getMessage() : ex));
		}
		catch (TimeoutException ex) {
			return notReset("the store did not respond within " + SubjectStatus.TIMEOUT_MILLIS + " ms");
		}
	}

	private static WebEndpointResponse<?> notReset(String reason) {
		return failed("it is unknown whether the subject was reset: " + reason,
				WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
	}

	/**
	 * Return one rule.
	 * @param rule the rule's id
	 * @return the rule; null if no rule has this id
	 */
	public @Nullable Map<String, Object> rule(String rule) {
		Rule found = this.editions.current().rules().rules().get(rule);
		return (found != null) ? RuleDescription.of(found) : null;
	}

	/**
	 * Return the remaining units of a subject, without a charge.
	 * @param rule the rule's id
	 * @param subject the subject, such as {@code user:alice}; it may contain slashes
	 * @return the subject's limits; null if there is no such rule
	 * @throws Exception if the store does not respond
	 */
	public @Nullable Map<String, Object> status(String rule, String... subject) throws Exception {
		CompiledRule found = this.engine.rule(rule).orElse(null);
		return (found != null) ? this.subjects.of(found, String.join("/", subject), Optional.empty()) : null;
	}

	private Object status(String[] what, @Nullable String subject, @Nullable String plan) throws Exception {
		CompiledRule found = this.engine.rule(what[0]).orElse(null);
		if (found == null) {
			return unknownRule(what[0]);
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
		ExplainRequest explainRequest;
		try {
			explainRequest = parameters.explainRequest();
		}
		catch (IllegalArgumentException ex) {
			return badRequest(String.valueOf(ex.getMessage()));
		}
		return ExplanationDescription
			.of(this.explainer.get().explain(explainRequest).get(SubjectStatus.TIMEOUT_MILLIS, TimeUnit.MILLISECONDS));
	}

	// Without a text, the response would be that of an endpoint that is not exposed.
	private static WebEndpointResponse<Map<String, String>> unknownRule(String id) {
		return failed(ShownText.unknownRule(id), WebEndpointResponse.STATUS_NOT_FOUND);
	}

	// The response of Spring Boot to an invalid request does not contain the reason.
	private static WebEndpointResponse<Map<String, String>> badRequest(String reason) {
		return failed(reason, WebEndpointResponse.STATUS_BAD_REQUEST);
	}

	private static WebEndpointResponse<Map<String, String>> failed(String reason, int status) {
		return new WebEndpointResponse<>(Map.of("error", reason), status);
	}

	private String subject(String[] what, @Nullable String named) {
		return this.addresses
			.counted(NamedSubject.of(Arrays.asList(what).subList(1, what.length), Optional.ofNullable(named)));
	}

	/**
	 * The description of a request by an operator, as it was received and before any
	 * check.
	 *
	 * @param method the method
	 * @param path the path and the query
	 * @param user the user's name
	 * @param ip the peer's address
	 * @param headers headers as {@code name:value}
	 * @param plan the plan
	 */
	record ExplainParameters(@Nullable String method, @Nullable String path, @Nullable String user, @Nullable String ip,
			@Nullable List<String> headers, @Nullable String plan) {

		private static final Pattern METHOD = Pattern.compile("[A-Za-z]{1,20}");

		private static final Pattern HEADER = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}:.*");

		private static final int MAX_CHARACTERS = 2048;

		private static final int MAX_HEADERS = 32;

		/**
		 * Return the described request.
		 * @return the request
		 * @throws IllegalArgumentException if the description is invalid; the message
		 * contains the valid form
		 */
		ExplainRequest explainRequest() {
			String verb = (this.method != null) ? this.method : "GET";
			require(METHOD.matcher(verb).matches(), "method: up to 20 letters, such as GET");
			require(this.path != null && this.path.startsWith("/") && isBounded(this.path),
					"path: the path after the context path, starting with '/', at most " + MAX_CHARACTERS
							+ " characters, such as /api/search?q=x");
			require(this.ip == null || IpAddress.parse(this.ip).isKnown(),
					"ip: an address, such as 203.0.113.7 or ::1");
			require(isBounded(this.user) && isBounded(this.plan),
					"user, plan: at most " + MAX_CHARACTERS + " characters");
			return new ExplainRequest(verb.toUpperCase(Locale.ROOT), String.valueOf(this.path), byName(),
					Optional.ofNullable(this.ip).orElse(""),
					Optional.ofNullable(this.user).filter((name) -> !name.isEmpty()), Optional.ofNullable(this.plan));
		}

		private static boolean isBounded(@Nullable String text) {
			return text == null || (text.length() <= MAX_CHARACTERS && text.chars().noneMatch(Character::isISOControl));
		}

		private Map<String, List<String>> byName() {
			Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
			for (String line : lines()) {
				int colon = line.indexOf(':');
				byName.computeIfAbsent(line.substring(0, colon), (name) -> new ArrayList<>())
					.add(line.substring(colon + 1).trim());
			}
			return byName;
		}

		// Spring splits the value of a single parameter at its commas.
		private List<String> lines() {
			List<String> lines = new ArrayList<>();
			for (String part : (this.headers != null) ? this.headers : List.<String>of()) {
				require(isBounded(part), "header: at most " + MAX_CHARACTERS + " characters each");
				if (HEADER.matcher(part).matches() || lines.isEmpty()) {
					lines.add(part);
				}
				else {
					lines.set(lines.size() - 1, lines.get(lines.size() - 1) + ", " + part);
				}
			}
			require(lines.size() <= MAX_HEADERS, "header: at most " + MAX_HEADERS);
			require(lines.stream().allMatch((line) -> HEADER.matcher(line).matches()),
					"header: name:value, such as X-Api-Key:abc");
			return lines;
		}

		private static void require(boolean condition, String message) {
			if (!condition) {
				throw new IllegalArgumentException(message);
			}
		}

	}

	/**
	 * A description of an explanation.
	 */
	private static final class ExplanationDescription {

		private ExplanationDescription() {
		}

		static Map<String, Object> of(Explanation explanation) {
			Map<String, Object> description = new LinkedHashMap<>();
			description.put("request",
					explanation.explainRequest().method() + " " + explanation.explainRequest().uri());
			description.put("outcome", explanation.outcome());
			explanation.handler().ifPresent((handler) -> description.put("handler", handler));
			explanation.note().ifPresent((note) -> description.put("note", note));
			explanation.level().ifPresent((level) -> description.put("level", EnumNames.of(level)));
			explanation.seat().ifPresent((seat) -> description.put("wouldShed", seat.shed()));
			Map<String, Object> rules = new LinkedHashMap<>();
			explanation.rules().forEach((rule) -> rules.put(rule.rule().id(), of(rule)));
			description.put("rules", rules);
			return description;
		}

		private static Map<String, Object> of(RuleExplanation rule) {
			Map<String, Object> description = new LinkedHashMap<>();
			description.put("applies", rule.applies());
			description.put("reason", rule.reason());
			rule.use().ifPresent((use) -> describe(rule, use, description));
			return description;
		}

		private static void describe(RuleExplanation rule, RuleExplanation.Use use, Map<String, Object> description) {
			description.put("phase", EnumNames.of(use.phase()));
			description.put("mode", EnumNames.of(rule.rule().reaction().mode()));
			description.put("reaction", EnumNames.of(rule.rule().reaction().excess().policy()));
			rule.rule().reaction().excess().ban().ifPresent((ban) -> description.put("ban", ban.text()));
			description.put("key", rule.rule().key().parts().stream().map(Object::toString).toList());
			use.subject().ifPresent((subject) -> description.put("subject", subject));
			use.plan().ifPresent((plan) -> description.put("plan", plan));
			description.put("cost", use.cost());
			description.put("outcome", use.outcome().tag());
			use.queue()
				.ifPresent((queue) -> description.put("queue",
						Map.of("length", queue.length(), "estimateMillis", queue.estimate().toMillis())));
			description.put("limits", use.prospects().stream().map(ExplanationDescription::of).toList());
		}

		private static Map<String, Object> of(ExpectedVerdict prospect) {
			Map<String, Object> description = VerdictDescription.of(prospect.verdict(), prospect.source());
			description.put("passes", prospect.passes());
			OptionalLong wait = (prospect.source() != Source.FALLBACK) ? prospect.retryAfterMillis()
					: OptionalLong.empty();
			wait.ifPresent((millis) -> description.put("retryAfterMillis", (millis == Wait.NEVER) ? "never" : millis));
			return description;
		}

	}

}
