package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import dev.ratelimit.RateLimitExceededException;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.RuleMode;
import dev.ratelimit.base.CurrentUser;
import dev.ratelimit.engine.Editions;
import dev.ratelimit.rule.Rule;
import dev.ratelimit.rule.RuleBuilder;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@ExtendWith(OutputCaptureExtension.class)
class LimitedBeansTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitTimeAutoConfiguration.class, RateLimitAutoConfiguration.class,
				RateLimitMethodAutoConfiguration.class));

	@Test
	void callsAreRejectedByAnExceptionThatCarriesTheDecision() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			assertThat(quotes.value()).isEqualTo(1);
			assertThat(quotes.value()).isEqualTo(2);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quotes::value)
				.withMessageMatching("Rejected by rate limit quotes-value \\(LIMIT_EXCEEDED\\); retry after \\d+ ms")
				.satisfies((rejection) -> {
					assertThat(rejection.decision().allowed()).isFalse();
					assertThat(rejection.retryAfter().orElseThrow()).isBetween(Duration.ofHours(11),
							Duration.ofHours(12));
				});
			assertThat(quotes.calls()).isEqualTo(2);
			assertThat(quotes.ofPackage()).isEqualTo(3);
			assertThat(quotes.ofPackage()).isEqualTo(4);
			rejected(quotes::ofPackage);
		});
	}

	@Test
	void eachSubscriptionIsADecisionAndARejectedOneDoesNotCall() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			Mono<Integer> mono = quotes.mono();
			assertThat(quotes.calls()).isEqualTo(0);
			assertThat(mono.block()).isEqualTo(1);
			assertThat(mono.block()).isEqualTo(2);
			rejected(mono::block);
			rejected(quotes.mono()::block);
			assertThat(quotes.flux().collectList().block()).containsExactly(3, 0);
			assertThat(quotes.flux().collectList().block()).containsExactly(4, 0);
			rejected(quotes.flux()::blockLast);
			assertThat(quotes.calls()).isEqualTo(4);
		});
	}

	@Test
	void subscriptionsToAPublisherOfBeforeTheStartAreLimited() {
		run(LimitedBeans.EarlyCalls.class, LimitedBeans.EarlyCalls.Kept.class, (kept) -> {
			assertThat(kept.mono().block()).isEqualTo(1);
			assertThat(kept.mono().block()).isEqualTo(2);
			rejected(kept.mono()::block);
		});
	}

	@Test
	void eachSubscriptionMeetsTheRulesOfItsTime() {
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class).run((context) -> {
			Mono<Integer> mono = context.getBean(LimitedBeans.Quotes.class).mono();
			mono.block();
			Editions editions = context.getBean(Editions.class);
			Map<String, Rule> rules = new LinkedHashMap<>(editions.current().rules().rules());
			RuleBuilder rule = RuleBuilder.rule("quotes-mono").key("global").limits("2/d");
			rules.put("quotes-mono", rule.mode(RuleMode.OFF).build());
			editions.adopt(List.copyOf(rules.values()));
			assertThat(Flux.range(0, 5).concatMap((index) -> mono).blockLast()).isEqualTo(6);
			rules.put("quotes-mono", rule.mode(RuleMode.ENFORCE).build());
			editions.adopt(List.copyOf(rules.values()));
			assertThat(mono.block()).isEqualTo(7);
			rejected(mono::block);
		});
	}

	@Test
	void aFutureFailsInsteadOfTheCall() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			quotes.future().join();
			quotes.future().join();
			assertThat(quotes.future()).failsWithin(Duration.ZERO)
				.withThrowableThat()
				.withCauseInstanceOf(RateLimitExceededException.class);
			assertThat(quotes.calls()).isEqualTo(2);
		});
	}

	@Test
	void anArgumentIsAKey() {
		run(LimitedBeans.ByArgument.class, (bean) -> {
			assertThat(bean.value(1, "acme")).isEqualTo("acme1");
			rejected(() -> bean.value(2, "acme"));
			assertThat(bean.value(3, "initech")).isEqualTo("initech3");
			assertThat(bean.later(5).block()).isEqualTo(5);
			rejected(bean.later(5)::block);
			assertThat(bean.later(6).block()).isEqualTo(6);
		});
	}

	@Test
	void anArgumentIsAKeyInAWebApplication() {
		EnableAuto.servlet().withUserConfiguration(LimitedBeans.ByArgument.class).run((context) -> {
			assertThat(context).hasNotFailed();
			LimitedBeans.ByArgument bean = context.getBean(LimitedBeans.ByArgument.class);
			bean.value(1, "acme");
			rejected(() -> bean.value(2, "acme"));
		});
	}

	@Test
	void allRulesOfAMethodAreOneDecision() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			quotes.repeated();
			quotes.repeated();
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(quotes::repeated)
				.satisfies((rejection) -> assertThat(rejection.decision().verdicts()).hasSize(2));
		});
	}

	@Test
	void callCanceledBeforeItRunsIsRefunded() {
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class).run((context) -> {
			LimitedBeans.Quotes quotes = context.getBean(LimitedBeans.Quotes.class);
			RateLimiter limiter = context.getBean(RateLimiter.class);
			assertThat(quotes.heldForAnHour().block()).isEqualTo("held 1");
			for (int i = 0; i < 5; i++) {
				Disposable waiting = quotes.heldForAnHour().subscribe();
				assertThat(remaining(limiter, "slot")).isEqualTo(999);
				waiting.dispose();
				assertThat(remaining(limiter, "slot")).isEqualTo(1000);
				assertThat(remaining(limiter, "hourly")).isEqualTo(2);
			}
			assertThat(quotes.calls()).isEqualTo(1);
		});
	}

	private static long remaining(RateLimiter limiter, String rule) {
		return limiter.peek(rule, "global").blockOptional().orElseThrow().verdicts().get(0).remaining();
	}

	@Test
	void slotIsReleasedWhenTheCallEnds() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			quotes.held(() -> rejected(() -> quotes.held(() -> {
			})));
			assertThatIllegalStateException().isThrownBy(() -> quotes.held(() -> {
				throw new IllegalStateException();
			}));
			quotes.held(() -> {
			});
			CompletableFuture<String> work = new CompletableFuture<>();
			CompletableFuture<String> held = quotes.heldInFuture(work);
			assertThat(quotes.heldInFuture(work)).isCompletedExceptionally();
			work.complete("done");
			assertThat(held).isCompletedWithValue("done");
			assertThat(quotes.heldInFuture(work)).isCompletedWithValue("done");
			Disposable first = quotes.heldLater().subscribe();
			Disposable second = quotes.heldLater().subscribe();
			rejected(quotes.heldLater()::block);
			first.dispose();
			Disposable third = quotes.heldLater().subscribe();
			assertThat(third.isDisposed()).isFalse();
			second.dispose();
			third.dispose();
		});
	}

	@Test
	void aQueueHoldsSubscriptionsWithoutThreads() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			long begin = System.nanoTime();
			long last = begin;
			for (int i = 0; i <= 3; i++) {
				last = quotes.paced().block();
			}
			assertThat(Duration.ofNanos(last - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(290));
		});
	}

	@Test
	void theCallerIsTheUserOfTheThreadOrOfTheSubscription() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			as("alice", quotes::ofCaller);
			as("alice", quotes::ofCaller);
			rejected(() -> as("alice", quotes::ofCaller));
			as("bob", quotes::ofCaller);
			quotes.ofCaller();
			quotes.ofCaller();
			rejected(quotes::ofCaller);
		});
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class)
			.withPropertyValues("ratelimit.rules.quotes-mono.key=user", "ratelimit.rules.quotes-mono.limit=1/d",
					"ratelimit.rules.quotes-mono.on-missing-key=deny")
			.run((context) -> {
				Mono<Integer> mono = context.getBean(LimitedBeans.Quotes.class).mono();
				rejected(mono::block);
				for (String name : new String[] { "alice", "bob" }) {
					Mono<Integer> called = mono
						.contextWrite(ReactiveSecurityContextHolder.withAuthentication(user(name)));
					assertThat(called.block()).isPositive();
					rejected(called::block);
				}
			});
	}

	@Test
	void callsThatWaitAreRejectedOnThreadsThatMustNot() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			Mono<Integer> onEventLoop = Mono.fromSupplier(quotes::value).subscribeOn(Schedulers.parallel());
			assertThatIllegalStateException().isThrownBy(onEventLoop::block).withMessageContaining("return a Mono");
			assertThat(quotes.mono().subscribeOn(Schedulers.parallel()).block()).isEqualTo(1);
			assertThat(Mono.fromSupplier(quotes::value).subscribeOn(Schedulers.boundedElastic()).block()).isEqualTo(2);
		});
	}

	@Test
	void callsThatWaitAreRejectedOnTheThreadsThatReadReplies() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			CompletableFuture<Integer> onEventLoop = new CompletableFuture<>();
			new Thread(() -> onEventLoop.completeAsync(quotes::value, Runnable::run), "lettuce-nioEventLoop-4-1")
				.start();
			assertThatExceptionOfType(CompletionException.class).isThrownBy(onEventLoop::join)
				.withCauseInstanceOf(IllegalStateException.class)
				.withMessageContaining("lettuce-nioEventLoop-4-1");
		});
	}

	@Test
	void callsWithinTheObjectAreNotCounted() {
		run(LimitedBeans.Quotes.class, (quotes) -> {
			for (int i = 0; i < 5; i++) {
				quotes.inside();
			}
			quotes.value();
		});
	}

	@Test
	void publicMethodsOfAClassShareItsBucket() {
		run(LimitedBeans.OfClass.class, (beans) -> {
			beans.one();
			beans.two();
			rejected(beans::one);
			rejected(beans::two);
			beans.own();
			rejected(beans::own);
			for (int i = 0; i < 5; i++) {
				beans.exempt();
				beans.hidden();
				assertThat(beans.toString()).isNotEmpty();
			}
		});
	}

	@Test
	void handlersAreLeftToTheFiltersAndOtherMethodsOfControllersAreNot() {
		EnableAuto.servlet().withUserConfiguration(LimitedBeans.Mixed.class).run((context) -> {
			LimitedBeans.Mixed mixed = context.getBean(LimitedBeans.Mixed.class);
			assertThat(AopUtils.isCglibProxy(mixed)).isTrue();
			for (int i = 0; i < 5; i++) {
				mixed.handler();
				mixed.plain();
			}
			mixed.plainWithOwn();
			rejected(mixed::plainWithOwn);
			assertThat(context.getBean(Editions.class).current().rules().rules()).containsOnlyKeys("mixed",
					"mixed-plain-with-own");
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void clientsThatAreProxiesOfInterfacesAreLimited(boolean ofClass) {
		this.runner.withUserConfiguration(LimitedBeans.Clients.class, LimitedBeans.ClientOfOwn.class)
			.withPropertyValues("spring.aop.proxy-target-class=" + ofClass)
			.run((context) -> context.getBeansOfType(LimitedBeans.Client.class).values().forEach((client) -> {
				client.call();
				client.call();
				rejected(client::call);
				assertThat(client.free()).isEqualTo("free");
			}));
	}

	@Test
	void theLimitComesBeforeOtherAspects() {
		run(LimitedBeans.AsyncBeans.class, LimitedBeans.AsyncQuotes.class, (quotes) -> {
			quotes.later();
			rejected(quotes::later);
		});
	}

	@Test
	void lazyBeansAreKnownAndNotMade() {
		this.runner.withUserConfiguration(LimitedBeans.LazyBeans.class)
			.run((context) -> assertThat(context.getBean(Editions.class).current().rules().rules())
				.containsOnlyKeys("lazy"));
	}

	@Test
	void aBeanWhoseTypeNobodyDeclaredIsLimitedOrSaysWhyNot() {
		this.runner.withUserConfiguration(LimitedBeans.UndeclaredBeans.class).run((context) -> {
			LimitedBeans.LazyQuotes made = (LimitedBeans.LazyQuotes) context.getBean("made");
			made.value();
			rejected(made::value);
		});
		this.runner.withUserConfiguration(LimitedBeans.UndeclaredPrototypes.class).run((context) -> {
			LimitedBeans.LazyQuotes later = (LimitedBeans.LazyQuotes) context.getBean("later");
			assertThatIllegalStateException().isThrownBy(later::value)
				.withMessageContaining("@RateLimited on LazyQuotes.value() was not found")
				.withMessageContaining("return type of its @Bean method");
		});
	}

	@Test
	void onlyBeansWithLimitsAreProxied() {
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class, LimitedBeans.Plain.class).run((context) -> {
			assertThat(AopUtils.isAopProxy(context.getBean(LimitedBeans.Quotes.class))).isTrue();
			assertThat(AopUtils.isAopProxy(context.getBean(LimitedBeans.Plain.class))).isFalse();
		});
	}

	@Test
	void propertiesOverrideNumbersAndSwitchAllOff() {
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class)
			.withPropertyValues("ratelimit.rules.quotes-value.limit=1/d", "ratelimit.rules.quotes-of-package.mode=off")
			.run((context) -> {
				LimitedBeans.Quotes quotes = context.getBean(LimitedBeans.Quotes.class);
				quotes.value();
				rejected(quotes::value);
				for (int i = 0; i < 5; i++) {
					quotes.ofPackage();
				}
			});
		this.runner.withUserConfiguration(LimitedBeans.Quotes.class)
			.withPropertyValues("ratelimit.methods.enabled=false")
			.run((context) -> assertThat(AopUtils.isAopProxy(context.getBean(LimitedBeans.Quotes.class))).isFalse());
	}

	@ParameterizedTest
	@CsvSource({ "FinalMethod, proxies do not intercept private, RateLimiter",
			"PrivateMethod, proxies do not intercept private, RateLimiter",
			"BeanMethod, limit the creation of the bean, with 'paths'",
			"ByHeader, no request to resolve the key from, global",
			"ByArgumentThatIsNot, the method has no parameter 'tenent', -parameters",
			"ByObject, the parameter is of the type Object, simple type", "MissingIp, no client address, 'shared'",
			"CostOfRequest, no request to resolve the cost, number", "Holding, block the calling threads, Mono",
			"Tarred, no response to delay, on-excess: tarpit",
			"NamesNothing, no rule has this id, Define ratelimit.rules.nope",
			"ExemptFromNothing, no rule has this id, Define ratelimit.rules.nope" })
	void unsupportedMethodAnnotationIsRejected(String type, String reason, String action)
			throws ClassNotFoundException {
		FailureAnalysis analysis = StartFailure
			.of(this.runner.withUserConfiguration(Class.forName(LimitedBeans.class.getName() + "$" + type)));
		assertThat(analysis.getDescription()).contains("@RateLimited", " on " + type + ".", reason);
		assertThat(analysis.getAction()).contains(action);
	}

	@ParameterizedTest
	@CsvSource({ "allow, 192.0.2.1", "deny, 192.0.2.1", "bypass-authorities, ROLE_BATCH" })
	void listsOfClientsAreRejected(String property, String value) {
		FailureAnalysis analysis = StartFailure.of(this.runner.withUserConfiguration(LimitedBeans.Quotes.class)
			.withPropertyValues("ratelimit.rules.quotes-value." + property + "=" + value));
		assertThat(analysis.getDescription()).contains("Quotes.value() (rule 'quotes-value')",
				"allow, deny, or bypass-authorities");
		assertThat(analysis.getAction()).contains("Use a rule without these lists.");
	}

	@Test
	void callsWithoutAUserShareOneBucketWhichIsReported(CapturedOutput output) {
		this.runner.withUserConfiguration(LimitedBeans.ByUser.class).run((context) -> {
			LimitedBeans.ByUser bean = context.getBean(LimitedBeans.ByUser.class);
			as("alice", bean::value);
			bean.value();
			rejected(bean::value);
		});
		assertThat(output).containsOnlyOnce("@RateLimited on ByUser.value() (rule '")
			.containsOnlyOnce("calls without an authenticated user share one bucket");
		this.runner.withUserConfiguration(LimitedBeans.ByUser.class)
			.withPropertyValues("ratelimit.rules.by-user-value.on-missing-key=shared")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).containsOnlyOnce("calls without an authenticated user share one bucket");
	}

	@Test
	void userKeyRequiresSpringSecurity() {
		FailureAnalysis analysis = StartFailure.of(this.runner.withUserConfiguration(LimitedBeans.ByUser.class)
			.withBean(CurrentUser.class, () -> CurrentUser.UNKNOWN));
		assertThat(analysis.getDescription()).contains("Spring Security is not on the classpath");
	}

	private <T> void run(Class<T> type, Consumer<T> test) {
		run(type, type, test);
	}

	private <T> void run(Class<?> configuration, Class<T> type, Consumer<T> test) {
		this.runner.withUserConfiguration(configuration)
			.run((AssertableApplicationContext context) -> test.accept(context.getBean(type)));
	}

	private static void rejected(ThrowingCallable call) {
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call);
	}

	private static void as(String name, Runnable call) {
		SecurityContextHolder.getContext().setAuthentication(user(name));
		try {
			call.run();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	private static UsernamePasswordAuthenticationToken user(String name) {
		return UsernamePasswordAuthenticationToken.authenticated(name, "", AuthorityUtils.NO_AUTHORITIES);
	}

}
