package dev.ratelimit;

import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that classes form no cycles, and that only clocks read the system time. A nested
 * class belongs to its outermost class.
 */
class StructureTests {

	private static final JavaClasses CLASSES = new ClassFileImporter()
		.withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
		.importPackages("dev.ratelimit");

	/** The types of this library that each type uses. */
	private static final Map<JavaClass, Set<JavaClass>> USES = uses();

	@Test
	void typesFormNoCycles() {
		Map<JavaClass, Set<JavaClass>> uses = new HashMap<>(USES);
		uses.replaceAll(
				(type, used) -> used.stream().filter((other) -> !isPartOf(type, other)).collect(Collectors.toSet()));
		assertThat(inCycles(uses)).extracting(JavaClass::getSimpleName).isEmpty();
	}

	@Test
	void onlyClocksReadTheTime() {
		Set<String> readers = CLASSES.stream()
			.filter((type) -> type.getAccessesFromSelf().stream().anyMatch(StructureTests::readsTheTime))
			.map(JavaClass::getName)
			.collect(Collectors.toSet());
		assertThat(readers).containsExactlyInAnyOrder("dev.ratelimit.store.Time", "dev.ratelimit.client.SystemTime",
				"dev.ratelimit.base.WallClock");
	}

	private static boolean readsTheTime(JavaAccess<?> access) {
		return (access.getTargetOwner().isEquivalentTo(System.class)
				&& Set.of("nanoTime", "currentTimeMillis").contains(access.getName()))
				|| (access.getTargetOwner().isEquivalentTo(Instant.class) && access.getName().equals("now"))
				|| (access.getTargetOwner().isEquivalentTo(InstantSource.class) && access.getName().equals("system"))
				|| (access.getTargetOwner().isEquivalentTo(Clock.class) && access.getName().startsWith("system"));
	}

	/**
	 * Return whether another type may be used by the type that it uses: a subtype, which
	 * a static method of the type creates; its builder; a type whose static methods read
	 * or create it; and a record that contains a list of the type.
	 */
	private static boolean isPartOf(JavaClass type, JavaClass other) {
		return other.isAssignableTo(type.getName()) || other.getSimpleName().equals(type.getSimpleName() + "Builder")
				|| makes(other, type) || (holds(type, other) && holds(other, type));
	}

	private static boolean makes(JavaClass maker, JavaClass type) {
		return !maker.getModifiers().contains(JavaModifier.PUBLIC) && maker.getMethods()
			.stream()
			.anyMatch((method) -> method.getModifiers().contains(JavaModifier.STATIC)
					&& method.getRawReturnType().equals(type));
	}

	private static boolean holds(JavaClass holder, JavaClass held) {
		return holder.getFields().stream().anyMatch((field) -> field.getType().getAllInvolvedRawTypes().contains(held));
	}

	// Repeatedly remove the types that use none of the remaining types, or that none of
	// them uses. The types that are left are in cycles or between them.
	private static Set<JavaClass> inCycles(Map<JavaClass, Set<JavaClass>> uses) {
		Set<JavaClass> left = new HashSet<>(uses.keySet());
		List<JavaClass> ends = new ArrayList<>();
		do {
			left.removeAll(ends);
			ends = left.stream()
				.filter((type) -> left.stream().noneMatch(uses.get(type)::contains)
						|| left.stream().noneMatch((user) -> uses.get(user).contains(type)))
				.toList();
		}
		while (!ends.isEmpty());
		return left;
	}

	private static Map<JavaClass, Set<JavaClass>> uses() {
		Map<JavaClass, Set<JavaClass>> uses = new HashMap<>();
		for (JavaClass type : CLASSES) {
			Set<JavaClass> used = uses.computeIfAbsent(outermost(type), (key) -> new HashSet<>());
			for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
				JavaClass target = outermost(dependency.getTargetClass().getBaseComponentType());
				if (target.getPackageName().startsWith("dev.ratelimit") && !target.equals(outermost(type))) {
					used.add(target);
				}
			}
		}
		return uses;
	}

	private static JavaClass outermost(JavaClass type) {
		return type.getEnclosingClass().map(StructureTests::outermost).orElse(type);
	}

}
