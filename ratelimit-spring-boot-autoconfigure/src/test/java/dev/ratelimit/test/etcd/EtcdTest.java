package dev.ratelimit.test.etcd;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Marks tests that start a {@link TestEtcd}. If {@code etcd} is not on the path, they are
 * skipped, or fail with {@code -Dtest.etcd=required}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Tag("long")
@ExtendWith(EtcdCondition.class)
public @interface EtcdTest {

}
