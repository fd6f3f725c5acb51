//! More of how English says the same: ways to ask, words between a group and its name, phrases of
//! comparison, of order and of time.

use super::super::words::{Agg, Cmp, Concept, Part, Quality};
use Concept as C;

/// Phrases and what they stand for, read after [`super::PHRASES`].
pub(in super::super) const ENGLISH: &[(&str, Concept)] = &[
    // how people begin to ask; in other places these words may name something
    (
        "fetch|pull up|bring up|print out|report on|visualize|visualise|provide|provide me with|retrieve|obtain|determine|evaluate|analyse|analyze|examine|summarise|summarize|sum up|indicate|enumerate|search for|pick out|dig up|dig out|read out|spit out|throw me|hit me with|walk me through|run me|remind me|remind me of|remind me what|check out|look up|look at|look for|work out|figure out|find out|tabulate|track down|get hold of|single out|show off|pop up|serve up|reveal|uncover|calc|calc.|compute|tell|list out|lay out|set out|write out|give|just|simply|quickly|now|next question|another question|one more thing|first of all|first off|to begin with|for starters|basically|actually|honestly|obviously|perhaps|also|finally|additionally|sorry|excuse me|ok|okay|alright|right|well|yeah|yes|yep|so|um|uh|hmm|oh|good morning|good afternoon|good evening|good day|greetings|dear team|guys|folks|hey there|hi there|hello there|fyi|btw|q|question|my question|a question|sum me up|asap|urgent|urgently|quick one|quick look|quick check|real quick",
        C::Opening,
    ),
    (
        "a table of|a table with|a table showing|table of|table with|a chart of|a chart showing|chart of|a graph of|graph of|a plot of|plot of|a report of|a report on|report of|report on|an overview of|overview of|a rundown of|rundown of|a view of|a look at|a quick look at|a list of|list of all|the list of|a full list of|full list of|complete list of|the full list of|a complete list of|the complete list of|details of|the details of|full details of|details on|details for|detail on|figures for|figures on|the figures for|numbers for|numbers on|the numbers on|the numbers for|info on|info about|information on|information about|data on|data for|data of|data about|the ones|the story with|the story on|the deal with|the situation with|rundown on|a rundown on",
        C::Opening,
    ),
    // wherever they stand they ask or are polite
    (
        "gimme|lemme|lemme see|let me see|let me know|let me have|let me look at|let me take a look at|let me have a look at|have a look at|take a look at|let us see|let's see|let's look at|let's have|lets see|i'd like to see|i'd like to know|i'd love to see|i'd love to know|i would like to see|i would love to|i would love to know|i'd like|i'd love|i'd|i want to see|i want to know|i wanna see|i wanna know|wanna|we'd like|we'd like to see|we'd like to know|we need|we want|we want to know|i'm looking for|i am looking for|im looking for|i'm after|i am after|i'm interested in|i am interested in|i'm curious about|i'm curious|i am curious|i'm curious what|im curious|curious about|curious what|just curious|just wondering|i'm wondering|i am wondering|i wonder what|i was wondering|i was wondering about|wondering about|wondering what|may i see|may i have|may i know|may i|might i|can i see|can i get|can i have|can i|could i see|could i get|could i have|could i|could we|can we|could we see|can we see|would you mind|would you be so kind|be so kind as to|be so kind|if possible|if you can|if you could|if you please|if you don't mind|if you would|when you can|when you get a chance|whenever you can|when you have a minute|when you have time|asap|pretty please|thx|ty|tysm|tnx|thanx|thanks a lot|thanks in advance|many thanks|thank you very much|thank you so much|much appreciated|appreciate it|cheers|please and thanks|please and thank you|mate|buddy|dude|sir|madam|for me|for us|help me find|help me understand|help me see|help me with|help me|help us|any idea|any idea of|any idea what|do you know|do you happen to know|do we know|is it known|is it possible to see|is it possible to get|is it possible|is there a way to see|is there a way to get|any chance of|any chance|how do i get|how do i find|how do i see|how can i see|how can i find|how can i get|what can you tell me about|tell us|show us|give us|give me|get me|find me|list me|i need to know|i need to see|i have to know|need to know|need to see|want to know|want to see|would like to know|would like to see|would love to know|would love to see|it would be nice to see|it would be great to see|would be nice|would be great|would be helpful|would help|that's all|that's it|that is all|and nothing else|you know|i guess|i think|i suppose|i believe|i'd say|my boss wants|my boss wants to know|my boss is asking for|my manager wants|my manager wants to know|the boss wants|boss wants|they want|they asked for|we were asked for|i was asked for|i'm asked for|i am asked for|what's the story with|what is the story with|what's the story on|what's up with|what's the deal with|what's the situation with|what do we know about|what does the data say about|what do the data say about|it's|whats the|wats|wat is|what're|how's|how is|how're|there's|here's|it is",
        C::Stop,
    ),
    (
        "as a table|in a table|in table form|as a list|in a list|as a chart|on a chart|in a chart|as a bar chart|in a bar chart|as bars|as columns|as a line|as lines|as a graph|on a graph|as a plot|in the form of a table|in one table|in tabular form|as a report|as a line chart|line chart|bar chart|line chart of|a line chart of|line graph of|bar chart of|a bar chart of|chart of|a chart of|graph of|a graph of|plot of|a plot of|as a pie chart|pie chart|pie chart of|pie of|a pie of|a pie chart of|pie graph of|donut chart of|a donut chart of|doughnut chart of|as a donut chart|for my report|for the report|for a report|for the meeting|for my meeting|for tomorrow's meeting|for the presentation|for my presentation|for a presentation|for the boss|for my boss|for comparison|for reference|for context|for the record|based on the data|based on this data|based on this table|based on the table|according to the data|according to the table|according to this table|going by the data|judging by the data|given the data|looking at the data|per the data|from the data|from this data|from our data|from the table|from this table|from the dataset|from this dataset|in our data|in our table|in our dataset|in this data|in this file|in the file|in here|in the database|in our database|in the records|on our records|in the system|across the whole dataset|across the dataset|across all data|across the data|in the whole table|in the whole dataset|in the entire dataset|in the entire table|over the whole period|over the entire period|over the full period|for the whole period|for the entire period|for the full period|over all time|for all time|since records began|to date|on file|generally speaking|roughly speaking|generally|roughly|approximately|approx|approx.|precisely|nevertheless|however|whatsoever|indeed|too|either way|in particular|in detail|namely|respectively|correspondingly|in terms of numbers|as a number|as a figure|in figures|in absolute numbers|in absolute terms|in question form",
        C::Stop,
    ),
    // verbs that say that there are such rows
    (
        "took place|taken place|taking place|takes place|occurring|happening|happens to be|happened to be|went on|came up|come up|turned up|turn up|showed up|appear|appears|appeared|arise|arose|arisen|arises|transpired|materialised|materialized|have been|had been|were made|was made|have been made|been made|got made|were done|was done|have been done|got done|get done|been done|were recorded|got recorded|been recorded|were logged|got logged|been logged|were registered|been registered|got registered|were noted|noted|were entered|entered|tallied|counted|on the books|were held|been held|get made|are listed|been listed|there have been|have there been|there had been|have we had|had we|we had|we have|we got|we get|do we see|did we see|did we have|did we get|did we do|did they do|did they make|did they get|did they have|do they have|do they make|does it have|can you see|can you find|went through|gone through|were carried out|amounts to|amounted to|adds up to|added up to|totals up to|stood at|stands at|was at|worked out at|turns out|turned out|ended up|end up|ends up|ended up being|proved to be|accounted for|clocked up|notched up|racked up|pulled in|tallying|showing|shows|showed|featuring|bearing|displaying|displays|that is|that are|that was|that were|that has|that have|that had",
        C::Light,
    ),
    // words between rows and the value that they have
    (
        "operated by|run by|made by|done by|provided by|handled by|served by|supplied by|conducted by|performed by|carried out by|completed by|executed by|led by|belonging to|belongs to|belong to|that belong to|relating to|pertaining to|associated with|assigned to|attributed to|attributable to|allocated to|came through|come through|that came through|received via|received through|using|with the help of|by means of|specific to|specifically for|exclusively|exclusively for|solely|in the case of|in case of|as for|when it comes to|concerning|with regard to|with regards to|with respect to|in respect of|in relation to|in connection with|restricted to|filtered to|filtered by|considering|considering only|looking only at|looking at|taking only|focusing on|focus on|focused on|tagged as|tagged with|labelled as|labeled as|marked as|flagged as|listed as|classified as|categorized as|categorised as|recorded as|registered as|reported as|designated as|described as|known as|of type|of the type|of kind|of the kind|of category|of the category|under the name|by the name of|with the name|on the part of|falling under|fall under|falls under|in the category|in category|out of all the",
        C::Light,
    ),
    // aggregates
    (
        "av|av.|ave|ave.|avrg|avarage|averge|avgerage|aveage|mean average|arithmetic mean|the arithmetic mean|arithmetic average|simple average|simple mean|overall average|overall mean|general average|average amount of|average value of|mean value of|mean amount of|average level of|on avg|in average|on the average|as an average|as an avg|averaging|averages out at|average out|averages out to|usual|the usual|as a mean|average figure for",
        C::Agg(Agg::Mean),
    ),
    (
        "grand total|grand total of|overall total|overall total of|overall sum|overall amount of|sum total|sum total of|total sum|total sum of|total amount of|total of|the total of|sum of|the sum of|sum of all|the sum of all|sum all|sum up|sum up the|sum up all|add up the|add up all|add up all the|adding up|added up|total up|total up the|tot|tot.|ttl|totalled|totaled|totalling|totaling|aggregate|aggregated|accumulated|collective|collectively|all together|all told|taken together|put together|all in all|combined total|combined total of|combined sum of|the combined|total combined|in sum|in aggregate",
        C::Agg(Agg::Sum),
    ),
    (
        "max.|maximum value of|max value of|maximum value|max value|peak value|peak value of|peak level of|maximum level of|the maximum of|the max of|peaked|peaked at|maxed out|maxed out at|maxes out at|maximum of all",
        C::Agg(Agg::Max),
    ),
    (
        "min.|minimum value of|min value of|minimum value|min value|the minimum of|the min of|bottomed|bottomed out|bottomed out at|minimum level of|trough",
        C::Agg(Agg::Min),
    ),
    (
        "med|median value|median value of|the median of|middle value|middle value of|the middle value|mid value|midpoint of|mid point of|fiftieth percentile|fiftieth percentile of",
        C::Agg(Agg::Median),
    ),
    (
        "st dev|st . dev|st . dev .|std . dev|std . dev .|std .|std . deviation|std deviation|std deviation of|std dev of|standard deviation of|standard deviations|stdev of|s . d .|sigma|dispersion|dispersion of|variability|variability of|variability in|how variable|how scattered|scatter of",
        C::Agg(Agg::Std),
    ),
    (
        "what pct of|what pct|which percentage of|which percentage|which percent of|which share of|which share|which proportion of|which proportion|which fraction of|which portion of|which part of|how large a share of|how big a share of|how large a part of|how large a proportion of|how big a part of|how high a share of|how many pct of|pct of|percents of|what fraction|what portion|what proportion|proportion|proportions|fraction|fractions|percentages|percentages of|relative share of|relative frequency of|percentage share of|percentage share|the percent of|prevalence of|in what percent of|in which percentage of|in what proportion of|in what fraction of|for what percentage of|for what share of|for what proportion of",
        C::Agg(Agg::Pct),
    ),
    (
        "how correlated|how strongly correlated|how closely correlated|how closely related|how strongly related|correlating|correlation with|correlation coefficient|correlation coefficient of|correlation coefficient between|the correlation coefficient between|pearson correlation|pearson correlation of|pearson correlation between|pearson coefficient|associated|associated with|association|association between|association of|linked|linked to|linked with|link of|linkage between|tied|tied to|tied with|connected|connected to|connected with|connection of|relation of|relationship of|dependence|dependence of|dependency|dependency of|dependent on|interdependence of|interdependence between|interplay between|interplay of|interrelation of|interrelation between|effect|effect of|impact of|influence of|have an effect|have an effect on|have an impact|have an impact on|have an influence on|has an effect on|has an impact on|go hand in hand|go hand in hand with|move together|move together with|go together|go together with|go up with|goes up with|rise with|rises with|increase with|increases with|grow with|grows with|vary with|varies with|correspond to|corresponds to|correspond with|go along with|goes along with",
        C::Agg(Agg::Correlation),
    ),
    (
        "tally|the tally|tally of|a tally of|the tally of|tally up|tally up the|tallies of|tallies|head count|headcount|head count of|a headcount of|the headcount of|count up the|count the|count all|count all the|count how many|a count of|the count|the count of|row count|row counts|record count|total count|total count of|overall count|overall count of|overall number of|overall number|total number|the total number of|a total number of|aggregate number of|combined number of|full number of|exact number of|the exact number of|no . of|no of|nr of|nr . of|num of|num . of|nbr of|# of|#|cnt|cnt of|amount of|the amount of|how numerous|in what number|what number of|occurrences|occurrences of|number of occurrences of|number of occurrences|number of instances of|instances of|number of cases of|frequency|frequencies|frequencies of|how frequently|how frequent|incidence of|how many total|how many of|how many of the|how many of our|how many such|just how many",
        C::Count,
    ),
    (
        "unique values of|distinct values of|different values of|unduplicated|non - repeating|deduplicated",
        C::Distinct,
    ),
    // grouping
    (
        "split up by|split out by|split per|split into|broken by|broken up by|broken out per|broken out into|broken down per|broken down into|broken down|break out by|break it out by|break that out by|break them down by|break them out by|break this down by|divided up by|divided into|divided up into|sliced by|slice by|slice it by|segmented by|segment by|segmented into|aggregated by|aggregate by|aggregated per|aggregated over|grouped per|grouped on|grouping by|grouped into|categorized by|categorised by|classified by|classed by|separated by|separated out by|separated into|partitioned by|stratified by|bucketed by|bucket by|binned by|tabulated by|tabulated per|summarised by|summarized by|summarised per|displayed by|displayed per|arranged per|organised by|organized by|pivot by|pivoted by|pivoted on|as a function of|according to|according to the|by type of|with a breakdown by|with a breakdown per|with breakdown by|with a split by|with a split per|with split by|by each|by every|by each of the|by individual|by different|by the different|by the various|by various|by respective|by the respective|differentiated by|distinguished by|distinguishing by|depending on the|based on|based on the|by the level of|on the level of|at the level of|segregated by|itemised by|itemized by|breakdown per|split it per|separately by|individually by|separately per|on a per",
        C::By,
    ),
    (
        "for each of the|for each of our|each of the|each one of the|of each|of each of the|of every single|for each individual|for every individual|for each single|for every single|every single|for each and every|each and every|each single|each individual|each particular|each separate|for individual|for the different|for the various|for various|for the individual|for the respective|across the|across each|across every|across our|across the different|across the various|across various|over the different|over different|over each|within each|within every|inside each|inside every|under each|per each|for any given|for a given|for any one|with each|with every|by each one of the|between different|between the different|among different|among the different|in each of the|at each of the|on each of the|from each of the|in the different|in the various|in various|in individual|at the various|at individual|at various|on individual|individually for each|separately for every|separate for each|separate for every|individually for every|each separately for|apiece for each|in every single|on every single|at every single|through each|through every|to each|to every|to each of the|via each|using each|throughout each|during each|during every|during each of the",
        C::Each,
    ),
    (
        "monthwise|month - wise|on a monthly basis|at monthly level|at the monthly level|monthly breakdown|with a monthly breakdown|by the month|month after month|month by month breakdown|monthly figures|monthly totals|monthly numbers|month - by - month",
        C::Every(Part::Month),
    ),
    (
        "weekwise|week - wise|week by week|week - by - week|on a weekly basis|at weekly level|weekly breakdown|with a weekly breakdown|by the week|week after week",
        C::Every(Part::Week),
    ),
    (
        "hour by hour|hour - by - hour|hourwise|on an hourly basis|hourly breakdown|by the hour",
        C::Every(Part::Hour),
    ),
    (
        "yearwise|year - wise|year after year|year - by - year|on a yearly basis|on an annual basis|yearly breakdown|annual breakdown|per annum|annualized by year|at yearly level",
        C::Every(Part::Year),
    ),
    (
        "quarter by quarter|quarter - by - quarter|quarterwise|on a quarterly basis|quarterly breakdown",
        C::Every(Part::Quarter),
    ),
    (
        "day by day|day - by - day|daywise|day - wise|on a daily basis|daily breakdown|day after day|by the day",
        C::Every(Part::Day),
    ),
    (
        "mth|mths|mnth|calendar month|calendar months|months of the year|month of year",
        C::Part(Part::Month),
    ),
    ("yr|yrs|calendar year|calendar years", C::Part(Part::Year)),
    ("wk|wks|calendar week|calendar weeks", C::Part(Part::Week)),
    ("qtr|qtrs|calendar quarter|calendar quarters", C::Part(Part::Quarter)),
    ("calendar day|calendar days|calendar date|calendar dates", C::Part(Part::Day)),
    (
        "week day|week days|days of a week|which day of the week|day in the week",
        C::Part(Part::Weekday),
    ),
    (
        "hours of the day|hours of day|hour in the day|time of a day|times of day|times of the day|clock hour",
        C::Part(Part::Hour),
    ),
    // comparisons
    (
        "north of|well over|well above|well beyond|way over|way above|strictly above|strictly over|strictly more than|strictly greater than|strictly higher than|upward of|surpass|surpasses|surpassed|surpassing|topping|tops|topped|greater then|more then|higher then|bigger then|larger then|longer then|older then|gt|being over|being above|being more than|any more than|anything over|anything above|anything more than|something over|above and beyond|over and above|goes above|went above|going above|goes over|went over|going over|goes beyond|went beyond|going beyond|rises above|greater in value than|which exceeds|that exceeds|that exceeded|which exceeded",
        C::Cmp(Cmp::Gt),
    ),
    (
        "short of|shy of|south of|falls short of|fall short of|fell short of|falling short of|well under|well below|way under|way below|strictly below|strictly under|strictly less than|strictly lower than|strictly smaller than|less then|fewer then|lower then|smaller then|shorter then|younger then|cheaper then|lt|being under|being below|being less than|anything under|anything below|anything less than|something under|underneath|inferior to|not reaching|not reach|does not reach|doesn't reach|did not reach|didn't reach|do not reach|don't reach|stays under|stayed under|stays below|stayed below|stay under|stay below|staying under|staying below|kept under|kept below|goes below|went below|going below|goes under|went under|dips below|dipped below|dipping below|lesser than",
        C::Cmp(Cmp::Lt),
    ),
    (
        "no fewer than|not fewer than|no smaller than|not smaller than|not lower than|not shorter than|not cheaper than|not younger than|not any less than|nothing less than|nothing below|at the very least|at a minimum|a minimum|minimum|a min of|min of|gte|greater or equal to|greater or equal than|equal to or greater than|equal to or more than|equal or greater than|equal to or above|equal or above|more or equal to|above or equal to|higher or equal to|higher than or equal to|larger than or equal to|larger or equal to|over or equal to|reach|reaches|reached|reaching|reached at least|starting at|upwards from|from at least",
        C::Cmp(Cmp::Ge),
    ),
    (
        "no larger than|no bigger than|not larger than|not bigger than|not greater than|not higher than|not older than|not dearer than|no dearer than|no costlier than|no pricier than|at the most|at the very most|at a maximum|a maximum of|a max of|max of|lte|smaller or equal to|less or equal to|less or equal than|equal to or less than|equal to or below|equal or less than|equal or below|below or equal to|lower or equal to|lower than or equal to|smaller than or equal to|under or equal to|does not exceed|doesn't exceed|do not exceed|don't exceed|did not exceed|didn't exceed|not exceed|that does not exceed|capped at|limited to|not beyond|not in excess of|not surpassing|no more then|not more then|maxing out at|topping out at|up to and including|up until|not upwards of|nothing over|nothing above",
        C::Cmp(Cmp::Le),
    ),
    (
        "precisely|that equals|is equal to|of exactly|at exactly|equalling|equaling|exactly equal to|equal exactly|identical to|the same as|eq|equivalent to|amounting to",
        C::Cmp(Cmp::Eq),
    ),
    (
        "differs from|differ from|differing from|different from|different than|distinct from|unequal to|isn't equal to|is not equal to|not the same as|does not equal|doesn't equal|neq|ne",
        C::Cmp(Cmp::Ne),
    ),
    ("later then|past the end of", C::TimeCmp(Cmp::Gt)),
    (
        "earlier then|ahead of|previous to|preceding|pre|up until the start of|until the start of|until the beginning of|no later than the start of",
        C::TimeCmp(Cmp::Lt),
    ),
    (
        "on or after|from and including|ever since|since the very start of|starting on|starting with|beginning on|beginning from|no earlier than|not earlier than|not before|not prior to|as from|since around|commencing|commencing in|from the very start of|from the first day of",
        C::TimeCmp(Cmp::Ge),
    ),
    (
        "on or before|up to|up to the end of|up until the end of|by the end of|till the end of|to the end of|no later than|not later than|not after|at the latest|thru|until the close of|up till|up until",
        C::TimeCmp(Cmp::Le),
    ),
    (
        "in between|of between|ranging between|ranging anywhere from|anywhere between|somewhere between|in the range|in the range of|in the range from|in the range between|in a range of|in range|in the interval|in the interval from|in the interval between|lying between|lies between|lie between|falls between|falling between|fall between|that falls between|that lies between|within the range of|within the range|anywhere from|somewhere from|in the region of|btw|betw|b/w|being between|from anywhere between",
        C::Between,
    ),
    ("ranging from|anywhere from|somewhere from|of from", C::From),
    (
        "up to|thru|till|until|up until|all the way to|&|up through|and up to|and no more than|and at most|and under",
        C::To,
    ),
    (
        "or larger|or bigger|or upwards|and upwards|and upward|upwards|and higher|and greater|and larger|and bigger|and beyond|or beyond|and longer|at least|at minimum|at the minimum|at the least|at the very least|and newer|or newer|or heavier|or dearer|or costlier|or pricier|or taller|or farther",
        C::OrMore,
    ),
    (
        "or smaller|and lower|and shorter|and fewer|and smaller|tops|at most|at the most|at the very most|at the maximum|as a maximum|at maximum|or cheaper|and cheaper|or lighter|or nearer|or downwards|and downwards",
        C::OrLess,
    ),
    // sets
    (
        "plus also|along with|together with|in addition to|and also|and additionally|and likewise",
        C::And,
    ),
    (
        "either|any of|one of|any one of|either of|and / or|or else|or maybe|or perhaps|or alternatively",
        C::EitherOf,
    ),
    (
        "none of|non|never|never been|was never|were never|has never|have never|has never been|have never been|not been|has not been|have not been|hasn't been|haven't been|had not been|hadn't been|is not|are not|was not|were not|wasn't|weren't|wasnt|werent|ain't|did not|didn't|didnt|does not|doesn't|doesnt|do not|don't|dont|did not get|didn't get|not get|was not marked|aside from|apart from the|other then|other than the|other than on|other than in|other than by|other than those|other than those of|excl|excl .|exclusive of|except by|except in|except on|except from|except for the|except those|except those of|except the|excepting|barring|save for|save for the|with the exception of|with exception of|with the exclusion of|to the exclusion of|leave out|leaving out|leaving aside|leave aside|take out|taking out|cut out|filter out|filtering out|strip out|stripping out|kick out|throw out|throwing out|skip|skipping|omit|omitting|disregard|disregarding|setting aside|set aside|put aside|anyone but|anyone except|anyone other than|everyone but|everyone except|everybody but|everybody except|anybody but|all except|all except for|all besides|everything except|everything besides|everything apart from|everything other than|anything except|anything other than|all other than|but never|and not|not by|not with|not of|not at|not for|not for the|not via|not under|not made by|not done by|not being|not counting the|not including the|not considering|without counting|without including|without considering|without any|without the|without those|still not|not yet|not yet been|failed to be|failing to be|outside the|not any of|not one of|not among|not belonging to",
        C::Not,
    ),
    // orders
    (
        "in decreasing order|in a decreasing order|descending order|in desc order|desc order|in a descending order|in falling order|in order of decreasing|sorted in descending order|sort in descending order|sort descending|sort desc|sorted desc|sorted high to low|sorted from high to low|sorted from highest to lowest|sorted from largest to smallest|sorted from most to least|sorted from biggest to smallest|sorted largest to smallest|sorted highest to lowest|sorted highest first|sorted largest first|ordered from highest to lowest|ordered from high to low|ordered from largest to smallest|ordered descending|ordered highest to lowest|ordered highest first|order descending|order desc|ranked from highest to lowest|ranked from high to low|ranked from best to worst|ranked highest to lowest|ranked high to low|ranked highest first|ranked from most to least|ranked descending|ranked|rank them|rank it|arranged from highest to lowest|arranged from high to low|arranged in descending order|arranged from largest to smallest|listed from highest to lowest|listed in descending order|starting with the highest|starting with the largest|starting with the biggest|starting with the most|starting from the highest|starting from the largest|starting from the biggest|starting from the top|starting at the top|starting with the top|starting with the greatest|starting with the longest|beginning with the highest|beginning with the largest|beginning with the biggest|highest on top|highest at the top|highest at top|with the highest on top|with the highest at the top|with the highest first|with the largest on top|with the largest at the top|with the largest first|with the biggest on top|with the biggest at the top|with the biggest first|largest on top|biggest on top|largest at the top|biggest at the top|the highest first|the largest first|the biggest first|from the highest to the lowest|from the largest to the smallest|from the biggest to the smallest|from the most to the least|from the greatest to the smallest|from the longest to the shortest|from highest|from the highest|from the top|from top to bottom|top to bottom|high to low|high - to - low|big to small|from big to small|biggest to smallest|greatest to least|from greatest to smallest|longest to shortest|from max to min|max to min|max first|greatest first|big ones first|top ones first|highest ones first|largest ones first|biggest ones first|highest values first|highest number first|largest number first|highest at first|with the most first|the most first|most at the top|most on top|most frequent first|most common first|most popular first|busiest first|best to worst|best on top|best at the top|leaders first|in ranked order|in order of size|in rank order|dearest first|priciest first|costliest first|farthest first|furthest first|fastest first|hottest first|warmest first|tallest first",
        C::Sorted(true),
    ),
    (
        "in increasing order|in an increasing order|ascending order|in asc order|asc order|in rising order|in an ascending order|sorted in ascending order|sort in ascending order|sort ascending|sort asc|sorted asc|sorted low to high|sorted from low to high|sorted from lowest to highest|sorted from smallest to largest|sorted from least to most|sorted smallest to largest|sorted lowest to highest|sorted lowest first|sorted smallest first|ordered from lowest to highest|ordered from low to high|ordered from smallest to largest|ordered ascending|ordered lowest first|order ascending|order asc|ranked from lowest to highest|ranked from low to high|ranked lowest to highest|ranked lowest first|ranked ascending|arranged from lowest to highest|arranged in ascending order|arranged from smallest to largest|listed in ascending order|listed from lowest to highest|starting with the lowest|starting with the smallest|starting with the least|starting from the lowest|starting from the smallest|starting from the bottom|starting at the bottom|starting with the shortest|beginning with the lowest|beginning with the smallest|lowest on top|lowest at the top|with the lowest first|with the smallest first|with the lowest on top|with the lowest at the top|smallest on top|smallest at the top|the lowest first|the smallest first|from the lowest to the highest|from the smallest to the largest|from the smallest to the biggest|from the least to the most|from the shortest to the longest|from the bottom|bottom to top|from bottom to top|low to high|low - to - high|small to big|from small to big|smallest to biggest|from smallest to biggest|least to greatest|shortest to longest|from min to max|min to max|min first|small ones first|smallest ones first|lowest ones first|fewest first|the fewest first|least frequent first|rarest first|worst to best|slowest first|nearest first|closest first|coldest first",
        C::Sorted(false),
    ),
    (
        "leading|topmost|top - ranked|top ranked|top - ranking|top ranking|highest - ranked|highest ranked|highest - ranking|highest ranking|best - ranked|biggest contributors|top contributors|largest contributors|main contributors",
        C::Top(true),
    ),
    (
        "lowest - ranked|lowest ranked|lowest - ranking|lowest ranking|bottommost|worst - ranked|smallest contributors",
        C::Top(false),
    ),
    (
        "highest ever|largest ever|biggest ever|highest recorded|largest recorded|biggest recorded|highest observed|highest single|largest single|biggest single|single highest|single largest|single biggest|the single highest|the single largest|the single biggest|all - time high|all time high|top most|greatest ever|greatest single|the very highest|the very largest|the very biggest|very highest|very largest|deepest|broadest|strongest|steepest|greatest overall|highest overall|highest possible|record - high|record high|record - breaking|most extreme",
        C::Most(true),
    ),
    (
        "lowest ever|smallest ever|lowest recorded|smallest recorded|lowest observed|lowest single|smallest single|single lowest|single smallest|the single lowest|the single smallest|all - time low|all time low|tiniest|littlest|slightest|the very lowest|the very smallest|very lowest|very smallest|weakest|lowest overall|lowest possible|record - low|record low|the least amount of|least amount of",
        C::Most(false),
    ),
    (
        "the highest number of|highest number of|the largest number of|largest number of|the greatest number of|greatest number of|the biggest number of|biggest number of|the maximum number of|maximum number of|the max number of|max number of|most number of|the most number of|the highest count of|highest count of|the largest count of|largest count of|the highest quantity of|the largest amount of|largest amount of|the highest amount of|the greatest amount of|the biggest amount of|the highest volume of|the bulk of|with the highest number of|with the largest number of|with the greatest number of|with the biggest number of|has the most|have the most|had the most|got the most|gets the most|get the most|saw the most|sees the most|see the most|made the most|makes the most|did the most|does the most|ran the most|runs the most|logged the most|recorded the most|registered the most|accounts for the most|accounted for the most|account for the most|handled the most|handles the most|received the most|receives the most|completed the most|with most|having the most|having most|has most|had most|have most|leads in|leads the way in|leads in terms of|leads on|lead in|led in|led by number of|tops in|ranks first in|ranks first by|ranks highest in|ranks highest by|ranks top by|ranks top in|ranks highest|ranks first|is first by|is first in|is number one in|is number one by|is the leader by|is the leader in|is top by|is top in|is on top by|is at the top by|comes first in|comes first by|came first in|came first by|comes out on top in|comes out on top by|came out on top in|came out on top by|comes out on top|came out on top|tops the list by|tops the list in|tops the list with|tops the list|tops the table by|tops the chart by|tops the ranking by|heads the list by|wins by|wins on|wins in|is the best by|is best by|is highest by|leads the list by|leads the pack by|leads the field by",
        C::MostMany(true),
    ),
    (
        "the lowest number of|lowest number of|the smallest number of|smallest number of|the fewest number of|fewest number of|the least number of|least number of|the minimum number of|minimum number of|the lowest count of|lowest count of|the smallest count of|the smallest amount of|smallest amount of|the lowest amount of|with the lowest number of|with the smallest number of|has the fewest|have the fewest|had the fewest|got the fewest|gets the fewest|saw the fewest|sees the fewest|made the fewest|makes the fewest|did the fewest|ran the fewest|logged the fewest|recorded the fewest|accounts for the fewest|received the fewest|has the least|had the least|have the least|got the least|gets the least|saw the least|sees the least|made the least|has fewest|had fewest|with fewest|with least|having the fewest|having the least|ranks last in|ranks last by|ranks lowest in|ranks lowest by|ranks lowest|ranks last|is last by|is last in|comes last in|comes last by|came last in|came last by|trails in|trails by|is at the bottom by|is bottom by",
        C::MostMany(false),
    ),
    (
        "commonest|the commonest|most prevalent|the most prevalent|most widespread|the most widespread|most numerous|the most numerous|most often seen|most commonly used|most commonly seen|most commonly chosen|most frequently seen|most often used|most chosen|most recorded|most frequented|most visited|most represented|most ordered|most bought|most requested|most frequently ordered|most frequently bought|most common overall",
        C::Popular(true),
    ),
    (
        "least numerous|least often used|least frequently used|least chosen|least visited|least represented|least in demand|least ordered|most rare|the rarest|most uncommon|least prevalent|least widespread|most seldom",
        C::Popular(false),
    ),
    (
        "best - performing|best performing|the best performing|top - performing|top performing|number one|no . 1|# 1|no 1",
        C::Best(true),
    ),
    (
        "worst - performing|worst performing|the worst performing|poorest|the poorest|weakest performer|poorest performing|worst performer|worst performers",
        C::Best(false),
    ),
    ("runner - up|runner up|the runner - up", C::RunnerUp),
    (
        "rank them by|ranked on|ranked according to|ranked in terms of|ranking by|sorted on|sorted according to|sorting by|sort on|sort it on|ordered on|ordered according to|ordering by|arranged by|arrange by|arrange them by|arranged according to|arrange according to|in order of|in the order of|listed in order of|organised by|organized by|sequenced by|prioritised by|prioritized by|graded by",
        C::SortBy,
    ),
    (
        "show me which ones|which ones are they|which are they|what are they|let me see them|give them to me|give me the list|show the list|show me the list|list those out|show the rows|show me the rows|show the records|show me the records|see them|pull them up|display these|display those|print them|list these|enumerate them|name them",
        C::Listing,
    ),
    // rows
    (
        "cases|case|instances|instance|observation|data points|data point|datapoints|datapoint|samples|elements|line|line items|line item|listings|items|item|entrys|occurrence|examples|example|tuples|recs",
        C::RowWord,
    ),
    (
        "as against|as opposed to|in contrast to|in contrast with|as compared to|as compared with|in comparison to|in comparison with|relative to|set against|v|v .|v / s|contrasted with|compares to|compares with|compare to|compare with|compared against|next to|side by side with|opposed to|up against|stack up against|stacks up against",
        C::Versus,
    ),
    (
        "side by side|head to head|next to each other|in comparison|compare and contrast|one by one|comparison between|a comparison between|comparison|a comparison|compares|comparatively",
        C::Apart,
    ),
    // numbers
    ("a couple of|couple of|a couple|a pair of|couple", C::Number(2.0)),
    ("a dozen|one dozen", C::Number(12.0)),
    ("half a dozen", C::Number(6.0)),
    ("thirteen", C::Number(13.0)),
    ("fourteen", C::Number(14.0)),
    ("sixteen", C::Number(16.0)),
    ("seventeen", C::Number(17.0)),
    ("eighteen", C::Number(18.0)),
    ("nineteen", C::Number(19.0)),
    ("sixty", C::Number(60.0)),
    ("seventy", C::Number(70.0)),
    ("eighty", C::Number(80.0)),
    ("ninety", C::Number(90.0)),
    ("twenty - five|twenty five", C::Number(25.0)),
    ("two hundred", C::Number(200.0)),
    ("three hundred", C::Number(300.0)),
    ("five hundred", C::Number(500.0)),
    ("a thousand|one thousand", C::Number(1e3)),
    ("two thousand", C::Number(2e3)),
    ("five thousand", C::Number(5e3)),
    ("ten thousand", C::Number(1e4)),
    ("a million|one million", C::Number(1e6)),
    ("half a million", C::Number(5e5)),
    ("a billion|one billion", C::Number(1e9)),
    ("grand|thsd|thou|k|ks", C::Scale(1e3)),
    ("mil|mill", C::Scale(1e6)),
    ("bn|bln", C::Scale(1e9)),
    ("sixth|6th", C::Ordinal(6)),
    ("seventh|7th", C::Ordinal(7)),
    ("eighth|8th", C::Ordinal(8)),
    ("ninth|9th", C::Ordinal(9)),
    ("tenth|10th", C::Ordinal(10)),
    // time
    (
        "year to date|ytd|so far this year|this year so far|since the start of the year|since the beginning of the year|from the start of the year|from the beginning of the year|to date this year",
        C::ToDate(Part::Year),
    ),
    (
        "month to date|mtd|so far this month|this month so far|since the start of the month|since the beginning of the month",
        C::ToDate(Part::Month),
    ),
    (
        "quarter to date|qtd|so far this quarter|this quarter so far|since the start of the quarter|since the beginning of the quarter",
        C::ToDate(Part::Quarter),
    ),
    (
        "week to date|wtd|so far this week|this week so far|since the start of the week|since the beginning of the week",
        C::ToDate(Part::Week),
    ),
    (
        "on the weekend|at the weekend|over weekends|during weekends|during the weekend|on weekend days|weekend day|weekends only|only weekends|on a weekend day|of weekends",
        C::Weekend(true),
    ),
    (
        "on working days|on business days|on workdays|on work days|work days|on a weekday|on a working day|on a workday|weekdays only|only weekdays|during the work week|during the working week|on week days|during business days",
        C::Weekend(false),
    ),
    ("1st half|first half - year|the first half", C::Half(1)),
    ("2nd half|second half - year|the second half", C::Half(2)),
    ("1st quarter|quarter 1|quarter one|first qtr|1q|the first quarter|quarter i", C::Quarter(1)),
    (
        "2nd quarter|quarter 2|quarter two|second qtr|2q|the second quarter|quarter ii",
        C::Quarter(2),
    ),
    (
        "3rd quarter|quarter 3|quarter three|third qtr|3q|the third quarter|quarter iii",
        C::Quarter(3),
    ),
    (
        "4th quarter|quarter 4|quarter four|fourth qtr|4q|the fourth quarter|quarter iv",
        C::Quarter(4),
    ),
    ("previous|preceding|trailing|most recent|prior|preceeding", C::LastFew),
    ("in the evening|o'clock in the evening", C::HalfDay(true)),
    ("weds", C::Weekday(2)),
    ("thur", C::Weekday(3)),
    (
        "is absent|absent|not available|n / a|not provided|is not provided|not recorded|was not recorded|not specified|is not specified|unspecified|left blank|left empty|not entered|undefined|unset|with no value|has no value|have no value|nothing in",
        C::Missing,
    ),
    (
        "tomorrow's|upcoming|coming month|coming year|coming week|expected next|in the future|going forward|foreseeable|forthcoming|extrapolate*|anticipate*",
        C::Future,
    ),
    (
        "output|return|report|plot|chart|graph|draw|present|supply|extract|generate|measure|query|select|view|search|pick|dump|run|state|quote|name|check|collect|gather|inspect|detail|outline|highlight|print|pull|grab|compile|describe|identify|specify|locate|isolate|explore|see",
        C::OpeningWith,
    ),
    ("on the whole|all told|all together|taken together|put together|collectively|in sum", C::Stop),
    (
        "throughout|all through|in the course of|over the course of|during the course of|in the whole of|for the whole of|over the whole of|in all of|for all of|the whole of|for the entire|over the entire|back in|dated|dating from|in the month of|for the month of|during the month of|over the month of|in the year of|for the year|in the calendar year|in calendar year|in the full year|for the full year|in full - year|in the span of|over the span of|in the period|over the period|for the period|during the period|in the time|in the timeframe|in the time frame|in the window|over at|fall to|falls to|fall under",
        C::Light,
    ),
    (
        "the single|do people|did people|people do|did i pay|do i pay|i pay|i paid|did we pay|do we pay|we pay|we paid|put on|puts on|laid on",
        C::Light,
    ),
    ("as of", C::TimeCmp(Cmp::Ge)),
    ("as of", C::TimeCmp(Cmp::Le)),
    ("reach|reached", C::Cmp(Cmp::Ge)),
    ("every|each|each and every", C::Opening),
    (
        "drew|draws|attracted|attracts|pulls in|pull in|rakes in|raked in|takes in|took in|brought home|existed|operate|operates|transported",
        C::Light,
    ),
    (
        "that's|really|here|as well|also|folks|guys|in general|to start with|for starters|maybe|do me a favor and|do me a favour and|exactly|ordinarily",
        C::Stop,
    ),
    ("anything|something|anyone|anybody", C::RowWord),
    ("exactly how many|precisely how many|in total how many|how many in total", C::Count),
    ("everywhere but|everywhere except|everywhere other than|everywhere besides", C::Not),
    ("avg .|ave .", C::Agg(Agg::Mean)),
    ("max .", C::Agg(Agg::Max)),
    ("min .", C::Agg(Agg::Min)),
    ("tot .", C::Agg(Agg::Sum)),
    ("thousand", C::Number(1e3)),
    ("million", C::Number(1e6)),
    ("billion", C::Number(1e9)),
    ("top", C::Cmp(Cmp::Gt)),
    (
        "falls below|fall below|fell below|drops below|drop below|dropped below|falls under|fell under",
        C::Cmp(Cmp::Lt),
    ),
    ("hundred|hundreds", C::Scale(100.0)),
    ("half an", C::Number(0.5)),
    ("one and a half|1 1 / 2", C::Number(1.5)),
    (
        "throughout the day|through the day|across the day|over the course of the day|over the day|in the course of the day",
        C::Every(Part::Hour),
    ),
    (
        "throughout the week|through the week|across the week|over the course of the week|in the course of the week",
        C::Every(Part::Weekday),
    ),
    (
        "over the months|across the months|across months|through the months|throughout the months",
        C::Every(Part::Month),
    ),
    (
        "over the years|across the years|across years|through the years|throughout the years",
        C::Every(Part::Year),
    ),
    (
        "costing more than|costing over|costing above|cost more than|cost over|cost above|costs more than|costs over|costs above|cost upwards of|cost in excess of|costing in excess of|costing upwards of|pricier than|pricier|priced over|priced above|priced at more than|priced at over|worth more than|worth over",
        C::Cmp(Cmp::Gt),
    ),
    (
        "costing more than|costing over|costing above|cost more than|cost over|cost above|costs more than|costs over|costs above|cost upwards of|cost in excess of|costing in excess of|costing upwards of|pricier than|pricier|priced over|priced above|priced at more than|priced at over",
        C::Comparative(Quality::Price, true),
    ),
    (
        "costing less than|costing under|costing below|cost less than|cost under|cost below|costs less than|costs under|costs below|priced under|priced below|priced at less than|priced at under|worth less than|worth under",
        C::Cmp(Cmp::Lt),
    ),
    (
        "costing less than|costing under|costing below|cost less than|cost under|cost below|costs less than|costs under|costs below|priced under|priced below|priced at less than|priced at under",
        C::Comparative(Quality::Price, false),
    ),
    ("costing at least|cost at least|costs at least|priced at least", C::Cmp(Cmp::Ge)),
    (
        "costing at least|cost at least|costs at least|priced at least",
        C::Comparative(Quality::Price, true),
    ),
    ("costing at most|cost at most|costs at most|costing up to|cost up to", C::Cmp(Cmp::Le)),
    (
        "costing at most|cost at most|costs at most|costing up to|cost up to",
        C::Comparative(Quality::Price, true),
    ),
    (
        "lasting more than|lasting over|lasting longer than|lasted more than|lasted over|lasted longer than|that took more than|that took longer than|taking longer than|taking more than|took longer than|took more than|took over",
        C::Cmp(Cmp::Gt),
    ),
    (
        "lasting more than|lasting over|lasting longer than|lasted more than|lasted over|lasted longer than|that took more than|that took longer than|taking longer than|taking more than|took longer than|took more than|took over",
        C::Comparative(Quality::Length, true),
    ),
    (
        "lasting less than|lasting under|lasted less than|lasted under|took less than|took under|taking less than|taking under",
        C::Cmp(Cmp::Lt),
    ),
    (
        "lasting less than|lasting under|lasted less than|lasted under|took less than|took under|taking less than|taking under",
        C::Comparative(Quality::Length, false),
    ),
    (
        "weighing more than|weighing over|weighs more than|weigh more than|weighed more than",
        C::Cmp(Cmp::Gt),
    ),
    (
        "weighing more than|weighing over|weighs more than|weigh more than|weighed more than",
        C::Comparative(Quality::Weight, true),
    ),
    (
        "weighing less than|weighing under|weighs less than|weigh less than|weighed less than",
        C::Cmp(Cmp::Lt),
    ),
    (
        "weighing less than|weighing under|weighs less than|weigh less than|weighed less than",
        C::Comparative(Quality::Weight, false),
    ),
    ("non -", C::Not),
    ("centile|centiles|percentiles|pctile|pctl|quantile|quantiles|%ile|ile", C::Percentile),
    (
        "everything|the whole table|whole table|the entire table|entire table|the full table|full table|the whole dataset|whole dataset|the entire dataset|entire dataset|the full dataset|full dataset|all data|all the data|all of the data|raw data|the raw data|all of it|the lot|the table|the dataset|the data|full list|the full list|the complete list|complete list|all there is",
        C::Everything,
    ),
    ("wider|wider than|broader|broader than", C::Comparative(Quality::Width, true)),
    ("narrower|narrower than", C::Comparative(Quality::Width, false)),
    ("deeper|deeper than", C::Comparative(Quality::Depth, true)),
    ("shallower|shallower than", C::Comparative(Quality::Depth, false)),
    ("thicker|thicker than", C::Comparative(Quality::Thickness, true)),
    ("thinner|thinner than", C::Comparative(Quality::Thickness, false)),
    (
        "wider|wider than|broader|broader than|deeper than|thicker|thicker than|taller",
        C::Cmp(Cmp::Gt),
    ),
    ("narrower|narrower than|shallower|shallower than|thinner|thinner than", C::Cmp(Cmp::Lt)),
    (
        "ever saw|ever seen|ever had|live|lives|lived|living|dwell|dwells|surveyed|sampled|studied|weighed in|looked at",
        C::Light,
    ),
];
