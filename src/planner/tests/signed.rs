//! Money of an account, with what goes out below zero.

use super::follow_ups::check_follow_up;
use super::*;

/// The movements of an account.
fn account() -> Arc<TableSchema> {
    let mut schema = purchases().as_ref().clone();
    schema.name = "account".into();
    for column in schema.columns.iter_mut().filter(|c| c.name == "amount") {
        column.signed = true;
    }
    Arc::new(schema)
}

#[test]
fn what_goes_out_and_what_comes_in_are_told_apart() {
    all_mean(
        &account(),
        &[
            (
                &["how much did I spend", "сколько я потратил"],
                json!({"where": "amount < 0", "select": "sum(amount)"}),
            ),
            (
                &["total income", "сумма доходов"],
                json!({"where": "amount > 0", "select": "sum(amount)"}),
            ),
            (
                &["biggest expense", "самая большая трата"],
                json!({"where": "amount < 0", "sort": "amount asc", "limit": 1}),
            ),
            (&["highest expense"], json!({"where": "amount < 0", "select": "min(amount)"})),
            (
                &["how much did I spend at Kuper", "сколько потратил в Kuper"],
                json!({"where": "shop == \"Kuper\" and amount < 0", "select": "sum(amount)"}),
            ),
        ],
    );
    all_mean(
        &account(),
        &[
            (&["expenses over 500", "траты больше 500"], json!({"where": "amount < -500"})),
            (
                &["how many expenses over 500"],
                json!({"where": "amount < -500", "select": "count()"}),
            ),
            (
                &["how many expenses under 50"],
                json!({"where": "amount > -50 and amount < 0", "select": "count()"}),
            ),
        ],
    );
    check_follow_up(
        &account(),
        "сколько я потратил",
        "а доходы?",
        &json!({"where": "amount > 0", "select": "sum(amount)"}),
    );
    means(&account(), "net change", &json!({"select": "sum(amount)"}));
    // a share in what was spent, without what came in
    let share = "sum(if(shop == \"Kuper\", amount, 0)) / sum(amount) * 100";
    let spent = json!({"where": "amount < 0", "select": {"share_pct": share}});
    means(&account(), "what percent of my spending is Kuper", &spent);
    // `monthly` is kept, and a question that says its own is read by itself
    let first = plan("total amount", &[account()], &Context::default()).query.unwrap();
    let context = Context { previous: Some(&first), ..Context::default() };
    let monthly = plan("monthly spending", &[account()], &context);
    let queries: Vec<&Query> =
        monthly.query.iter().chain(monthly.readings.iter().map(|r| &r.query)).collect();
    assert!(!queries.is_empty());
    for query in queries {
        assert_eq!(query.filter.as_deref(), Some("amount < 0"), "{}", query.to_json());
        assert_eq!(query.group_by, ["month"], "{}", query.to_json());
    }
    // where nothing is below zero, all of it is spent
    means(&purchases(), "how much did I spend", &json!({"select": "sum(amount)"}));
}

#[test]
fn both_sides_are_told_apart() {
    let sides = |more: Json| {
        let mut query = json!({"select": {"income": "sum(if(amount > 0, amount, 0))",
                                          "spending": "sum(if(amount < 0, amount, 0))"}});
        let all = query.as_object_mut().unwrap();
        all.extend(more.as_object().unwrap().clone());
        query
    };
    for question in ["income and expenses", "income vs spending"] {
        let plan = plan(question, &[account()], &Context::default());
        let best = plan.query.or_else(|| plan.readings.first().map(|r| r.query.clone()));
        let best = canonical(&best.expect(question), &account());
        let wanted = Query::from_json(&sides(json!({}))).expect("a query");
        assert_eq!(best, canonical(&wanted, &account()), "{question}");
    }
    means(&account(), "income and expenses by shop", &sides(json!({"group_by": "shop"})));
    // a column called `total` or `сумма` is no side of its own
    let mut schema = account().as_ref().clone();
    for column in schema.columns.iter_mut().filter(|c| c.signed) {
        column.name = "сумма".into();
    }
    let wanted = json!({"where": "сумма < 0", "select": "sum(сумма)"});
    for question in ["общая сумма трат", "сколько всего потрачено"]
    {
        means(&Arc::new(schema.clone()), question, &wanted);
    }
    // what is over 500 may go out as well
    let plan = plan("show all purchases over 500", &[account()], &Context::default());
    assert_ne!(plan.query.and_then(|q| q.filter).as_deref(), Some("amount > 500"));
}

#[test]
fn what_it_is_spent_on() {
    let mut schema = account().as_ref().clone();
    schema.columns.retain(|column| column.name != "category");
    for question in ["what did I spend most on", "на что я потратил больше всего"]
    {
        let plan = plan(question, &[Arc::new(schema.clone())], &Context::default());
        let query = plan.query.expect(question);
        assert_eq!(query.group_by, ["shop"], "{question}");
        assert_eq!(query.sort, ["sum_amount asc"], "{question}");
        // of several columns of texts the one of kinds is meant, of others none surely
        let kinds = super::plan(question, &[account()], &Context::default());
        assert_eq!(kinds.query.expect(question).group_by, ["category"], "{question}");
        let mut several = account().as_ref().clone();
        for column in several.columns.iter_mut().filter(|c| c.name == "category") {
            column.name = "branch".into();
        }
        let several = super::plan(question, &[Arc::new(several)], &Context::default());
        assert_ne!(several.status, Status::Ready, "{question}");
    }
}

#[test]
fn a_share_of_another_is_that_of_the_other() {
    let share = |of: &str| {
        json!({"select": {"share_pct":
            format!("sum(if(shop == \"{of}\", amount, 0)) / sum(amount) * 100")}})
    };
    check_follow_up(&purchases(), "share of Kuper in amount", "and Lenta?", &share("Lenta"));
}
