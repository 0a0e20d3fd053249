package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.ratelimit.CostResolver;
import dev.ratelimit.KeyResolver;
import dev.ratelimit.PlanResolver;
import dev.ratelimit.RateLimitRejectionHandler;
import dev.ratelimit.address.ClientAddresses;
import dev.ratelimit.base.Authorities;
import dev.ratelimit.base.PrincipalAuthorities;
import dev.ratelimit.base.PrincipalClaims;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.engine.RateLimitEngine;
import dev.ratelimit.gate.PassageObserver;
import dev.ratelimit.rule.Access;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.store.Upkeep;
import dev.ratelimit.web.Callers;
import dev.ratelimit.web.Explainer;
import dev.ratelimit.web.GateSettings;
import dev.ratelimit.web.IdempotencyKeys;
import dev.ratelimit.web.Levels;
import dev.ratelimit.web.LoadStage;
import dev.ratelimit.web.ManagementPaths;
import dev.ratelimit.web.RequestGate;
import dev.ratelimit.web.RequestObserver;
import dev.ratelimit.web.Resolvers;
import dev.ratelimit.web.response.HeaderFactory;
import dev.ratelimit.web.response.ProblemTexts;
import dev.ratelimit.web.response.RejectionFactory;
import dev.ratelimit.web.response.RejectionStatus;
import dev.ratelimit.web.response.Tarpits;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DelegatingMessageSource;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ClassUtils;

/**
 * Internal: the beans that the filters of both stacks need. The auto-configuration of
 * each stack imports it under its own conditions, and provides a {@link WebStack}.
 */
@Configuration(proxyBeanMethods = false)
@Import({ HeaderConfiguration.class, TomcatClientsConfiguration.class, JettyClientsConfiguration.class })
public final class WebGateConfiguration {

	/**
	 * The order of Spring Security's filter; configurable on servlet, but not on WebFlux.
	 */
	public static final int SECURITY_ORDER = -100;

	private static final boolean TOMCAT = ClassUtils.isPresent("org.springframework.boot.tomcat.TomcatWebServerFactory",
			WebGateConfiguration.class.getClassLoader());

	@Bean
	@ConditionalOnMissingBean
	RequestGate requestGate(RateLimitEngine engine, RateLimitProperties properties, Callers callers,
			ObjectProvider<ManagementPaths> exemptions, ListableBeanFactory beans, ObjectProvider<PlanResolver> plan,
			WebStack stack, ObjectProvider<FrontRoutes> others, ObjectProvider<RequestObserver> observer,
			ObjectProvider<PassageObserver> passages, ObjectProvider<LoadStage> load, ObjectProvider<Levels> levels) {
		return new RequestGate(engine,
				new GateSettings(resolvers(beans, plan, properties), callers, idempotencyKeys(properties.idempotency()),
						exemptions.getIfAvailable(() -> ManagementPaths.NONE), isPhased(stack, others),
						observer.getIfAvailable(() -> RequestObserver.NONE),
						properties.headers().partitionKeys(properties.secret()),
						levels.getIfAvailable(() -> Levels.NONE), properties.preflightHeaders()),
				passages.getIfAvailable(() -> PassageObserver.NONE), load.getIfAvailable(() -> LoadStage.NONE));
	}

	private static boolean isPhased(WebStack stack, ObjectProvider<FrontRoutes> others) {
		return stack.phased() || others.stream().anyMatch(FrontRoutes::phased);
	}

	@Bean
	@ConditionalOnMissingBean
	Callers rateLimitCallers(RateLimitProperties properties, ClientAddresses addresses, ResourceLoader resources) {
		Access access = new Access(properties.allow(), properties.deny(), properties.bypassAuthorities());
		return new Callers(addresses, access, authorities(properties, resources.getClassLoader()),
				PrincipalClaims.of(resources.getClassLoader()));
	}

	@Bean
	ClientAddressWarnings rateLimitClientAddressRemarks(RateLimitProperties properties, Environment environment,
			Editions editions, ListableBeanFactory beans) {
		ClientAddressWarnings remarks = new ClientAddressWarnings(properties.clientAddress(), environment,
				isTomcat(beans));
		editions.addListener((edition) -> remarks.use(edition.rules()));
		return remarks;
	}

	@Bean
	@ConditionalOnMissingBean
	Explainer rateLimitExplainer(RequestGate gate, RateLimitEngine engine, WebStack stack) {
		return new Explainer(gate, engine, stack.mappings());
	}

	@Bean
	@ConditionalOnMissingBean
	RejectionFactory rateLimitRejections(RateLimitEngine engine, HeaderFactory headers,
			ObjectProvider<RateLimitRejectionHandler> handler, ApplicationContext context) {
		return new RejectionFactory(new RejectionStatus(engine.editions()), headers, texts(context),
				handler.getIfAvailable(() -> (rejection, request) -> rejection), engine.requests());
	}

	@Bean
	Tarpits rateLimitTarpits(Upkeep upkeep) {
		return new Tarpits((delay, end) -> upkeep.once(delay, "Failed to send a delayed rejection", end));
	}

	@Bean
	HeldRequestsLifecycle rateLimitTarpitsLifecycle(Tarpits tarpits) {
		return new HeldRequestsLifecycle(tarpits::open, tarpits::close);
	}

	// Without messages, the message source is empty. English texts avoid a search in it
	// for each rejection.
	private static ProblemTexts texts(ApplicationContext context) {
		Object source = context.getBean(AbstractApplicationContext.MESSAGE_SOURCE_BEAN_NAME);
		boolean empty = source instanceof DelegatingMessageSource delegating
				&& delegating.getParentMessageSource() == null;
		return (empty) ? ProblemTexts.ENGLISH : ProblemTexts.of(context);
	}

	public static boolean isTomcat(ListableBeanFactory beans) {
		return TOMCAT && Tomcat.serves(beans);
	}

	private static Authorities authorities(RateLimitProperties properties, @Nullable ClassLoader classes) {
		return PrincipalAuthorities.of(classes).orElseGet(() -> {
			requireNone("ratelimit.bypass-authorities", properties.bypassAuthorities());
			return Authorities.NONE;
		});
	}

	private static void requireNone(String property, List<String> names) {
		if (!names.isEmpty()) {
			throw new InvalidRuleException(property, names.toString(), "Spring Security is not on the classpath",
					"Add 'spring-boot-starter-security', or remove the property.");
		}
	}

	private static Resolvers resolvers(ListableBeanFactory beans, ObjectProvider<PlanResolver> plan,
			RateLimitProperties properties) {
		return new Resolvers(beans.getBeansOfType(KeyResolver.class), beans.getBeansOfType(CostResolver.class),
				Optional.ofNullable(plan.getIfAvailable())
					.or(() -> Optional.ofNullable(properties.plan()).map(PlanSources::resolver)));
	}

	private static IdempotencyKeys idempotencyKeys(IdempotencyProperties properties) {
		return new IdempotencyKeys(
				properties.methods()
					.stream()
					.map((method) -> method.toUpperCase(Locale.ROOT))
					.collect(Collectors.toUnmodifiableSet()),
				properties.syntax() == IdempotencyProperties.Syntax.STRICT);
	}

	/**
	 * Checks for Tomcat. Loaded only if Tomcat is on the class path.
	 */
	private static final class Tomcat {

		static boolean serves(ListableBeanFactory beans) {
			return beans.getBeanNamesForType(TomcatWebServerFactory.class, true, false).length > 0;
		}

	}

}
