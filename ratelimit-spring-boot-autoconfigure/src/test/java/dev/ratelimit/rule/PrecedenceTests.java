package dev.ratelimit.rule;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.web.HandlerKey;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.web.method.HandlerMethod;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class PrecedenceTests {

	@ParameterizedTest
	@CsvSource({ "OwnOfAll, 3/d", "SuperclassOverInterface, 2/d", "GrandChild, 3/d", "OfInterface, 1/d",
			"InterfaceMethodOverClass, 1/d", "OfDefault, 8/d", "OfClass, 4/d", "SuperclassOverInterfaceOfIt, 5/d",
			"OfTypeOfInterface, 6/d", "Bridged, 2/d", "BridgedWithOwn, 3/d", "Composed, 3/d" })
	void nearestElementWinsAlone(String type, String limit) {
		assertThat(limits(AnnotatedRules.of(keys(type("Hierarchies$" + type))))).containsExactly(limit);
	}

	@Test
	void bridgesAndMethodsOfInterfacesLeadToTheMethodThatIsRun() throws NoSuchMethodException {
		Method bridge = Hierarchies.BridgedWithOwn.class.getMethod("call", Object.class);
		assertThat(bridge.isBridge()).isTrue();
		assertThat(limits(AnnotatedRules.of(List.of(new HandlerKey(Hierarchies.BridgedWithOwn.class, bridge)))))
			.containsExactly("3/d");
		Method ofInterface = Hierarchies.Contract.class.getMethod("call");
		assertThat(limits(AnnotatedRules.of(List.of(new HandlerKey(Hierarchies.OwnOfAll.class, ofInterface)))))
			.containsExactly("3/d");
	}

	@Test
	void annotationsOnAnnotationsCountAtTheElementThatHasThemAndTheirAttributesAreOverridden() {
		AnnotatedRules composed = AnnotatedRules.of(keys(Hierarchies.Composed.class));
		assertThat(composed.definitions().get("everybodys").definition().key()).containsExactly("global");
		assertThat(composed.definitions().get("everybodys").definition().options().find(RuleOptions.COST))
			.hasValue("2");
		AnnotatedRules both = AnnotatedRules.of(keys(Hierarchies.ComposedByDefault.class));
		assertThat(both.definitions()).containsOnlyKeys("composed-by-default-call", "beside");
		assertThat(limits(both)).containsExactlyInAnyOrder("7/d", "1/d");
	}

	@Test
	void methodThatTwoClassesInheritIsTwo() {
		AnnotatedRules rules = AnnotatedRules.of(Stream
			.of(Hierarchies.SuperclassOverInterface.class, Hierarchies.GrandChild.class, Hierarchies.OfDefault.class)
			.flatMap((type) -> keys(type).stream())
			.toList());
		assertThat(rules.definitions()).containsOnlyKeys("superclass-over-interface-call", "grand-child-call",
				"of-default-call");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void proxiesDoNotHideTheClass(boolean ofClass) throws NoSuchMethodException {
		ProxyFactory factory = new ProxyFactory(new Hierarchies.OwnOfAll());
		factory.setProxyTargetClass(ofClass);
		Object proxy = factory.getProxy();
		assertThat(Proxy.isProxyClass(proxy.getClass())).isNotEqualTo(ofClass);
		HandlerMethod handler = new HandlerMethod(proxy, Hierarchies.Contract.class.getMethod("call"));
		AnnotatedRules rules = AnnotatedRules.of(List.of(HandlerKey.of(handler)));
		assertThat(rules.definitions()).containsOnlyKeys("own-of-all-call");
		assertThat(limits(rules)).containsExactly("3/d");
	}

	@Test
	void exemptionTakesAwayTheRulesOfTheClass() {
		AnnotatedRules rules = AnnotatedRules.of(keys(Hierarchies.Exempted.class));
		assertThat(rules.byMethod().keySet()).extracting((method) -> method.method().getName())
			.containsExactly("limited");
		assertThat(rules.exemptions().values()).singleElement().returns(true, Exemption::all);
		assertThat(AnnotatedRules.of(keys(Hierarchies.ExemptInASuperclass.class)).exemptions().keySet())
			.extracting((method) -> method.method().getName())
			.containsExactly("call");
	}

	@Test
	void limitThatIsNearerReplacesAnExemptionFromAll() {
		AnnotatedRules rules = AnnotatedRules.of(keys(Hierarchies.LimitedInAnExemptClass.class));
		assertThat(rules.byMethod().values()).containsExactly(List.of("limited-in-an-exempt-class-call"));
		assertThat(rules.exemptions().keySet()).extracting((method) -> method.method().getName())
			.containsExactly("exempt");
	}

	@Test
	void namedExemptionTakesAwayTheseRulesAlone() {
		AnnotatedRules rules = AnnotatedRules.of(keys(Hierarchies.ExemptedFromOne.class));
		assertThat(rules.byMethod().values()).containsExactly(List.of("elsewhere"));
		assertThat(rules.exemptions().values()).containsExactly(new Exemption(false, Set.of("class", "another")));
		AnnotatedRules beside = AnnotatedRules.of(keys(Hierarchies.InsteadOfAnother.class));
		assertThat(beside.byMethod().values()).containsExactly(List.of("instead-of-another-call"));
		assertThat(beside.exemptions().values()).containsExactly(new Exemption(false, Set.of("another")));
	}

	@ParameterizedTest
	@ValueSource(classes = { Hierarchies.Contradiction.class, Hierarchies.ContradictionByName.class })
	void limitAndExemptionFromItOnOneElementAreRejected(Class<?> type) {
		assertThatThrownBy(() -> AnnotatedRules.of(keys(type)))
			.asInstanceOf(InstanceOfAssertFactories.type(InvalidRuleException.class))
			.returns("@RateLimited.Exempt on " + type.getSimpleName() + ".call()", InvalidRuleException::location)
			.satisfies((failure) -> assertThat(failure.action()).contains("Remove one of the annotations"));
	}

	private static Class<?> type(String name) {
		return Arrays.stream(Hierarchies.class.getDeclaredClasses())
			.filter((type) -> type.getName().endsWith(name))
			.findFirst()
			.orElseThrow();
	}

	private static List<HandlerKey> keys(Class<?> type) {
		return Arrays.stream(type.getMethods())
			.filter((method) -> method.getDeclaringClass() != Object.class && !method.isBridge())
			.map((method) -> new HandlerKey(type, method))
			.toList();
	}

	private static List<String> limits(AnnotatedRules rules) {
		return rules.definitions()
			.values()
			.stream()
			.flatMap((written) -> written.definition().quota().limits().stream())
			.map(LimitDefinition::limit)
			.toList();
	}

}
